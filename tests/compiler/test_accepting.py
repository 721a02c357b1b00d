"""What is accepted at once is what the schema accepts; what is written as it should be is accepted at once."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from cardc.accepting import acceptor
from jsonschema import Draft202012Validator

NUMBER = {"type": "integer", "minimum": 0, "maximum": 9}
WORD = {"enum": ["red", "green"]}
SCHEMAS: list[dict[str, Any]] = [
    NUMBER,
    {"type": "integer"},
    {"type": ["integer", "null"], "minimum": 1},
    {"type": "boolean", "description": "Whether it is."},
    {"type": ["boolean", "null"]},
    WORD,
    {"enum": ["red", None]},
    {"type": "array", "items": WORD, "uniqueItems": True},
    {"type": ["array", "null"], "items": WORD, "uniqueItems": True},
    {"type": "array", "items": NUMBER},
    {"type": "array", "items": NUMBER, "uniqueItems": True},
    {"type": "string"},
    {"type": "integer", "multipleOf": 2},
    {},
]
VALUES: list[Any] = [
    None, True, False, -1, 0, 1, 9, 10, 1.0, 0.5, float("nan"), "", "red", "blue", [], ["red"], ["red", "green"],
    ["red", "red"], ["blue"], [1], [1, 1], [True, 1], [None], {}, {"red": 1}, [["red"]],
]  # fmt: skip


def of(schema: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": schema}, "required": required, "additionalProperties": False}


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_nothing_is_accepted_that_the_schema_refuses(schema: dict[str, Any]) -> None:
    for required in ([], ["x"]):
        accepts, validator = acceptor(of(schema, required)), Draft202012Validator(of(schema, required))
        for given in ({}, {"y": 1}, *({"x": value} for value in VALUES), {"x": 1, "y": 1}):
            assert not accepts(given) or validator.is_valid(given), given


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        (NUMBER, [0, 9]),
        (SCHEMAS[2], [1, None]),
        (SCHEMAS[3], [True, False]),
        (WORD, ["red", "green"]),
        (SCHEMAS[6], ["red", None]),
        (SCHEMAS[7], [[], ["red"], ["green", "red"]]),
        (SCHEMAS[8], [[], None]),
        (SCHEMAS[9], [[], [1, 1]]),
    ],
    ids=str,
)
def test_what_fits_needs_no_validator(schema: dict[str, Any], values: list[Any]) -> None:
    for required, value in itertools.product(([], ["x"]), values):
        assert acceptor(of(schema, required))({"x": value})


def test_what_is_left_out() -> None:
    assert acceptor(of(NUMBER, []))({}) and not acceptor(of(NUMBER, ["x"]))({})
