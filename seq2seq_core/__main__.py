"""python -m seq2seq_core models | decode | evaluate | train | bench: the same core, from a terminal or a script."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, get_args

from seq2seq_core.config import DecodeSettings, Search
from seq2seq_core.errors import InputError, file_trouble

DESCRIPTION = "Encoder-decoder models whose every decoding step can be read."


class Parser(argparse.ArgumentParser):
    """Argument errors are one line and exit code 2, like every other error."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}; see `{self.prog} --help`.")


def build_parser() -> Parser:
    parser = Parser(prog="python -m seq2seq_core", description=DESCRIPTION)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)

    models = commands.add_parser("models", help="list the shipped models with their scores")
    models.add_argument("--json", action="store_true")

    decode = commands.add_parser("decode", help="decode one source, of the kind that the model's task reads")
    decode.add_argument("model", help="task/variant, or a model folder")
    decode.add_argument("--text", help="a text; a language model reads nothing")
    decode.add_argument("--image", type=Path, help="a photo")
    decode.add_argument("--sound", type=Path, help="a recording")
    decode.add_argument("--clip", type=Path, help="a folder of frames, or a GIF")
    decode.add_argument("--prompt", default="", help="what the decoder is given to go on from: of a language model the beginning")
    decode.add_argument("--prefix", default="", help="the output must begin with this")
    _add_search(decode)
    decode.add_argument("--seed", type=int, default=0)

    _add_evaluate(commands.add_parser("evaluate", help="score a model on held-out data"))

    train = commands.add_parser("train", help="train a model from a recipe")
    train.add_argument("--config", type=Path, required=True)
    train.add_argument("--data", type=Path, required=True)
    train.add_argument("--out", type=Path, required=True)
    train.add_argument("--cache", type=Path, help="captions only: where the photos' features are kept; default: grids/ beside --out")
    train.add_argument("--resume", action="store_true")
    train.add_argument("--seed", type=int, help="another than the recipe's; a training that is resumed needs it again")
    train.add_argument("--threads", type=int, default=1)

    _add_queue(commands.add_parser("queue", help="train many recipes on the cores of a cluster, as many at once as there are"))
    ship = commands.add_parser("ship", help="copy a trained model in a smaller storage, with its card.md")
    ship.add_argument("model")
    ship.add_argument("--out", type=Path, required=True)
    ship.add_argument("--storage", choices=["float32", "float16", "int8"], default="float16")
    ship.add_argument(
        "--seeds", nargs="*", default=[], metavar="MODEL", help="the same with other seeds: their scores go into the card too"
    )

    _add_bench(commands.add_parser("bench", help="measure speed and memory, each figure beside its floor"))
    return parser


def _add_evaluate(evaluate: argparse.ArgumentParser) -> None:
    evaluate.add_argument("model", help="task/variant, or a model folder")
    evaluate.add_argument(
        "--data",
        type=Path,
        help="what the task reads TAB its prompt, if it has one TAB right outputs; with --recipe: the folder of the data",
    )
    evaluate.add_argument("--files", type=Path, help="with --data: the folder of the photos, sounds or clips it names")
    data = evaluate.add_mutually_exclusive_group()
    data.add_argument("--pairs", type=Path, help="source TAB target")
    data.add_argument("--lexicon", type=Path, help="native TAB romanisation TAB annotators")
    data.add_argument("--captions", type=Path, help="split TAB image TAB idx TAB caption, with --images")
    data.add_argument("--lines", type=Path, help="one sentence a line: perplexity of a language model")
    data.add_argument("--recipe", type=Path, help="every dev set of this recipe, with --data; the scores go into model.json")
    evaluate.add_argument("--images", type=Path, help="with --captions: the folder of the photos")
    evaluate.add_argument("--cache", type=Path, help="captions only: a folder where the photos' features are kept for another time")
    evaluate.add_argument("--split", help="captions only: dev, test; default: dev if the file has it, else everything")
    evaluate.add_argument("--limit", type=int, help="only the first so many")
    evaluate.add_argument("--against", metavar="MODEL", help="also by how much the scores are ahead of this model's; not with --recipe")
    evaluate.add_argument("--record", metavar="NAME", help="also write the scores into the model's model.json under this name")
    evaluate.add_argument("--engine", choices=["here", "ray"], default="here", help="ray: on all cores of a cluster, the same figures")
    _add_search(evaluate)


def _add_queue(queue: argparse.ArgumentParser) -> None:
    queue.add_argument("configs", type=Path, nargs="+", metavar="CONFIG")
    queue.add_argument("--data", type=Path, required=True, help="a folder that all machines see")
    queue.add_argument("--out", type=Path, required=True, help="another; each model gets a folder of its recipe's name, and goes on there")
    queue.add_argument("--threads", type=int, default=1, help="cores for each")


def _add_search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--search", choices=get_args(Search), default="beam")
    parser.add_argument("--beam-size", type=int, default=5)
    parser.add_argument("--length-penalty", type=float)
    parser.add_argument("--prior", type=float, default=DecodeSettings().prior, help="weight of a list of words, if there is one; 0: none")
    parser.add_argument("--max-length", type=int)
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout and nothing else")


def _add_bench(bench: argparse.ArgumentParser) -> None:
    bench.add_argument("--threads", type=int, default=1)
    bench.add_argument("--tasks", nargs="+", metavar="TASK", help="instead: processor seconds until small models have learnt these tasks")
    bench.add_argument("--attentions", nargs="+", default=["additive"], metavar="NAME", help="with --tasks")
    bench.add_argument("--cells", nargs="+", default=["gru"], metavar="NAME", help="with --tasks")
    bench.add_argument("--limit", type=float, default=60.0, metavar="SECONDS", help="with --tasks: of each model")
    bench.add_argument("--json", action="store_true")


def main(arguments: Sequence[str] | None = None) -> int:
    from seq2seq_core import commands

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # where a terminal or a pipe has no Hindi, its code is better than none
    try:
        parsed = build_parser().parse_args(arguments)
        getattr(commands, parsed.command)(parsed)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:
        print(file_trouble(error), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
