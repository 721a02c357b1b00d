"""From `cardc.ir` to Python source."""
