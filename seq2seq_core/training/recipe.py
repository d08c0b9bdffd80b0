"""A training recipe: one TOML file that says which data, which tokenizer, which model and how to train it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from seq2seq_core.config import ModelConfig, TrainSettings, from_dict
from seq2seq_core.errors import InputError
from seq2seq_core.inputs.devanagari import Romaniser
from seq2seq_core.inputs.sound import FEATURES
from seq2seq_core.inputs.tokenizer import SubwordTokenizer, Tokenizer
from seq2seq_core.tasks import TASKS
from seq2seq_core.training.augmentation import NOTHING, Augmentation, Augmenter
from seq2seq_core.training.captions import Advance, CaptionData, Captioned, caption_text, image_encoder
from seq2seq_core.training.careless import as_typed
from seq2seq_core.training.clips import ClipData, filmed_in
from seq2seq_core.training.hindi import HindiPairs, HindiSettings
from seq2seq_core.training.questions import QuestionData, as_captioned, photos_of, vocabulary
from seq2seq_core.training.readers import (
    Example,
    Pair,
    Row,
    TextBatches,
    held_out,
    read_captions,
    read_lexicon,
    read_lines,
    read_pairs,
    read_parallel,
    read_prompted,
    read_prose,
    read_questions,
    read_reasons,
)
from seq2seq_core.training.spoken import SpokenData
from seq2seq_core.training.stories import StoryData
from seq2seq_core.training.vocabularies import TokenizerSettings, vocabularies

Part = Literal["all", "train", "held-out"]


@dataclass(frozen=True, slots=True)
class DataSource:
    """One entry of [[data.train]] or [[data.dev]]: a file of pairs, two parallel files, a lexicon, plain lines, novels or captions."""

    name: str = ""  # what scores on it are called
    pairs: str = ""
    source: str = ""
    target: str = ""
    prompted: str = ""  # a file of lines: source TAB prompt TAB output
    reasons: str = ""  # the sign after the output of such lines, where they go on with reasons for it: a line is then one for each reason
    lexicon: str = ""
    lines: str = ""
    prose: str = ""  # a folder of plain-text books
    targets_of: str = ""  # a file of pairs of which only the targets are wanted, each once: for language models
    captions: str = ""  # a table of captions, for the photos in the folder `images`
    questions: str = ""  # a table of questions with their answers, about the photos in the folder `images`
    stories: str = ""  # a table of stories with questions, and the sentences that tell their answers: see tools/story_parts.py
    images: str = ""
    without: str = ""  # a table of captions: nothing is asked about the photos of its dev split
    photos: int = 0  # no more photos than these: of captions the first, of questions those that most is asked about; 0: all
    split: str = ""  # of the captions: train, dev; all when empty
    views: int = 1  # photos: an epoch sees one of so many views of each: as it is, mirrored, pieces (see `view_of`)
    degraded: float = 0.0  # photos: the share of the views that were blurred, reduced, saved again ... before (see `degraded`)
    scrambled: float = 0.0  # photos: the share in a batch that show nothing, so that what is said of the unknown is a sentence too
    digits: str = ""  # a table of recordings of single digits, beside them: numbers are made of those of a split
    strings: int = 1000  # so many of them
    shortest: int = 1  # digits
    longest: int = 8
    rendered: int = 0  # so many clips that the lab renders itself
    unseen: str = ""  # of them: those that are never trained, for a "pair" of colour and shape or an "order" of events
    clips: str = ""  # a table: clip TAB output, each clip a folder of frames beside it
    part: Part = "all"  # of sentences without a source, or of sources with a prompt: nine tenths, or the tenth that is held out
    tidy: float = 0.0  # with a prompt: the share whose signs lose the space before them, and the last sign its place: as people type
    most_words: int = 0  # pairs: those with a longer source are left out; a few would take most of the memory. 0: none is
    repeat: int = 1  # how often an epoch sees it

    @property
    def title(self) -> str:
        files = (
            self.pairs, self.prompted, self.source, self.lexicon, self.lines, self.prose, self.targets_of, self.captions, self.questions,
            self.digits, self.clips, self.stories,
        )  # fmt: skip
        return self.name or next((Path(file).stem for file in files if file), "data")

    def read(self, folder: Path) -> Sequence[Pair]:
        if self.prose or self.lines or self.targets_of:
            return [
                ("", sentence)
                for sentence in self._sentences(folder)
                if self.part == "all" or held_out(sentence) == (self.part == "held-out")
            ]
        if self.pairs:
            pairs = read_pairs(folder / self.pairs)
            return [pair for pair in pairs if not self.most_words or len(pair[0].split()) <= self.most_words]
        if self.prompted:
            path = folder / self.prompted
            rows = read_reasons(path, self.reasons) if self.reasons else read_prompted(path)
            return [as_typed(row, self.tidy) for row in rows if self.part == "all" or held_out(row[0]) == (self.part == "held-out")]
        if self.source and self.target:
            return read_parallel(folder / self.source, folder / self.target)
        if self.lexicon:
            return [(roman, native) for roman, native, _ in read_lexicon(folder / self.lexicon)]
        if self.captions and self.images:
            found = read_captions(folder / self.captions, self.split or None)
            chosen = islice(found.items(), self.photos or None)
            return [(f"{self.images}/{photo}", caption) for photo, captions in chosen for caption in captions]
        if self.digits:
            raise InputError("Numbers are put together of recordings: write them with tools/spoken_numbers.py, then evaluate --data.")
        if self.clips:
            return filmed_in(folder, self.clips, self.part)
        raise InputError(
            "A data entry names no file; give pairs, source and target, prompted, lexicon, lines, prose, targets_of, or images with "
            "captions or questions, or digits, rendered, clips, or stories."
        )

    def asked(self, folder: Path) -> list[Row]:
        """Questions, each with the path of its photo under `folder`."""
        held = set(read_captions(folder / self.without, "dev")) if self.without else set()
        rows = [row for row in read_questions(folder / self.questions) if row.given[0] not in held]
        if self.photos:
            kept = set(photos_of(rows)[: self.photos])
            rows = [row for row in rows if row.given[0] in kept]
        return [replace(row, given=(f"{self.images}/{row.given[0]}",)) for row in rows]

    def _sentences(self, folder: Path) -> list[str]:
        if self.targets_of:
            return list(dict.fromkeys(target for _, target in read_pairs(folder / self.targets_of)))
        if self.prose:
            return [sentence for path in sorted((folder / self.prose).glob("*.txt")) for sentence in read_prose(path)]
        return [line for line in read_lines(folder / self.lines) if line.strip()]


VARIED = {"name", "model", "train", "data", "about", "begin", "frozen", "same_pieces"}  # what a recipe that extends another may set


@dataclass(frozen=True, slots=True)
class Recipe:
    """A validated TOML file."""

    name: str  # task/variant
    model: ModelConfig
    train: TrainSettings
    tokenizer: TokenizerSettings
    train_data: tuple[DataSource, ...]
    dev_data: tuple[DataSource, ...]
    augmentation: Augmentation = NOTHING
    hindi: HindiSettings = field(default_factory=HindiSettings)  # pairs of English and Hindi alone
    folder: Path = Path()  # where the recipe stands; its augmentation's lists are beside it
    about: Mapping[str, Any] = field(default_factory=dict)  # goes into model.json: data, licence, attribution
    watched: str = ""  # a source to decode after every epoch
    begin: str = ""  # a trained model whose weights are taken over where they fit
    same_pieces: bool = False  # then its vocabulary too, instead of one of the recipe's own data
    frozen: bool = False  # then its eyes stay as they are: the encoder, and the keys of the attention map


def read_recipe(path: Path) -> Recipe:
    content = _content(path)
    data = content.get("data", {})
    return Recipe(
        name=str(content["name"]),
        model=from_dict(ModelConfig, content.get("model", {})),
        train=from_dict(TrainSettings, content.get("train", {})),
        tokenizer=from_dict(TokenizerSettings, content.get("tokenizer", {})),
        train_data=tuple(from_dict(DataSource, entry) for entry in data.get("train", [])),
        dev_data=tuple(from_dict(DataSource, entry) for entry in data.get("dev", [])),
        augmentation=from_dict(Augmentation, content.get("augmentation", {})),
        hindi=from_dict(HindiSettings, content.get("hindi", {})),
        folder=path.parent,
        about=content.get("about", {}),
        watched=str(content.get("watched", "")),
        begin=str(content.get("begin", "")),
        same_pieces=content.get("same_pieces") is True,
        frozen=content.get("frozen") is True,
    )


def _content(path: Path) -> dict[str, Any]:
    """What the file says; of a variant's recipe what the other one says, with what the variant changes."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise InputError(f"{path} cannot be read; give the path of a TOML recipe, for example configs/translation-additive.toml.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not valid TOML: {error}.") from None
    extends = content.pop("extends", None)
    if extends is None:
        return {"name": path.stem, **content}
    for name in content.keys() - VARIED:
        raise InputError(f"A recipe that extends another may set {', '.join(sorted(VARIED))}; it sets {name!r}.")
    base = _content(path.parent / str(extends))
    tables = {name: {**base.get(name, {}), **value} for name, value in content.items() if isinstance(value, dict)}
    return {**base, **content, **tables}


@dataclass(frozen=True, slots=True)
class Dataset(TextBatches):
    """A recipe's data in memory."""

    train: tuple[Pair, ...]
    dev: tuple[Pair, ...]
    source_tokenizer: Tokenizer | None
    target_tokenizer: Tokenizer
    dropout: float = 0.0
    augmenter: Augmenter | HindiPairs | None = None
    why: str = ""  # an output that ends in this sign is left open: nobody wrote why

    @property
    def romaniser(self) -> Romaniser | None:
        return self.augmenter.romaniser if isinstance(self.augmenter, HindiPairs) else None

    def examples(self, seed: int) -> list[Example]:
        """The training pairs as ids; `seed` decides what is changed in them in an epoch, and its subword dropout."""
        return self._encode(self.augmenter.epoch(seed) if self.augmenter else self.train, self.dropout, seed)

    def dev_examples(self) -> list[Example]:
        return self._encode(self.dev, 0.0, 0)

    def _encode(self, pairs: Sequence[Pair], dropout: float, seed: int) -> list[Example]:
        targets = self.target_tokenizer.encode_many([pair[1] for pair in pairs])
        prompts = self.target_tokenizer.encode_many(["".join(pair[2:]) for pair in pairs])
        sources: list[list[int]] = [[] for _ in pairs]
        if self.source_tokenizer is not None:
            sources = self.source_tokenizer.encode_many([pair[0] for pair in pairs], dropout, seed)
        return [
            Example(tuple(source), (*prompt, *target), len(prompt), open=bool(self.why) and pair[1].endswith(self.why))
            for source, target, prompt, pair in zip(sources, targets, prompts, pairs, strict=True)
        ]

    def dev_inputs(self, limit: int) -> tuple[list[str], list[tuple[str, ...]], list[str]]:
        """About `limit` sources, spread over all of them, with their targets and what the decoder is given first."""
        pairs = self.dev[:: max(1, len(self.dev) // limit)]
        sources = ["" if self.source_tokenizer is None else pair[0] for pair in pairs]
        return sources, [(pair[1].removesuffix(self.why),) for pair in pairs], ["".join(pair[2:]) for pair in pairs]


def prepare(
    recipe: Recipe,
    folder: Path,
    tokenizers: tuple[Tokenizer | None, Tokenizer] | None = None,
    cache: Path | None = None,
    advance: Advance = lambda _: None,
) -> tuple[Dataset | CaptionData | QuestionData | SpokenData | ClipData | StoryData, ModelConfig]:
    """Read the data, make the tokenizers (or take those of an earlier start), and set the vocabulary sizes.

    Photos go through the image network once; `cache` is the folder where what it gave is kept.
    """
    if not recipe.train_data or not recipe.dev_data:
        raise InputError("The recipe names no data; it needs [[data.train]] and [[data.dev]].")
    if any(entry.questions for entry in recipe.train_data):
        return _questions(recipe, folder, tokenizers[1] if tokenizers else None, cache or folder, advance)
    if recipe.model.source == "sound":
        earlier = tokenizers[1] if tokenizers else None
        spoken = SpokenData.of(recipe.train_data[0], recipe.dev_data[0], folder, earlier, cache or folder, advance)
        return spoken, replace(recipe.model, source_vocab=FEATURES, target_vocab=spoken.target_tokenizer.size)
    if recipe.model.source == "clip":
        earlier = tokenizers[1] if tokenizers else None
        watched = ClipData.of(recipe.train_data[0], recipe.dev_data[0], recipe.model.task, folder, earlier, cache or folder, advance)
        return watched, replace(recipe.model, source_vocab=watched.train.channels, target_vocab=watched.target_tokenizer.size)
    if recipe.train_data[0].stories:
        stories = StoryData.of([folder / each.stories for each in (*recipe.train_data, *recipe.dev_data)], tokenizers and tokenizers[1])
        return stories, replace(recipe.model, source_vocab=stories.target_tokenizer.size, target_vocab=stories.target_tokenizer.size)
    train = [pair for entry in recipe.train_data for pair in [*entry.read(folder)] * entry.repeat]
    dev = [pair for entry in recipe.dev_data for pair in entry.read(folder)]
    if recipe.model.source == "image":
        target = tokenizers[1] if tokenizers else SubwordTokenizer.train([caption_text(pair[1]) for pair in train], recipe.tokenizer.size)
        told, held = (Captioned.gather(_unprompted(pairs), folder) for pairs in (train, dev))
        photos = _photos(recipe, told, held, target, cache or folder, advance)
        return photos, replace(recipe.model, source_vocab=photos.arrays[0].shape[2], target_vocab=target.size)
    return _texts(recipe, folder, train, dev, tokenizers)


def _texts(
    recipe: Recipe, folder: Path, train: list[Pair], dev: list[Pair], tokenizers: tuple[Tokenizer | None, Tokenizer] | None
) -> tuple[Dataset, ModelConfig]:
    task = TASKS[recipe.model.task]
    why = task.why if recipe.model.reasons else ""
    if why:
        train, dev = ([(one[0], one[1] + why * (one[1] in task.answers), *one[2:]) for one in pairs] for pairs in (train, dev))
    augmenter: Augmenter | HindiPairs | None = None
    if recipe.hindi:
        augmenter = HindiPairs.of(recipe.hindi, train, folder)
        train, dev = augmenter.plain(train), augmenter.plain(dev)
    elif recipe.augmentation:
        augmenter = Augmenter(recipe.augmentation, _unprompted(train), recipe.folder / recipe.augmentation.lists)
    pairs = dict.fromkeys(augmenter.epoch(recipe.train.seed) if augmenter else train)
    source, target = tokenizers or vocabularies(recipe.tokenizer, pairs, recipe.model.source == "text")
    config = replace(recipe.model, source_vocab=source.size if source else recipe.model.source_vocab, target_vocab=target.size)
    return Dataset(tuple(train), tuple(dev), source, target, recipe.tokenizer.dropout, augmenter, why), config


def _unprompted(pairs: Sequence[Pair]) -> list[tuple[str, str]]:
    return [(pair[0], pair[1]) for pair in pairs]


def _questions(recipe: Recipe, folder: Path, known: Tokenizer | None, cache: Path, advance: Advance) -> tuple[QuestionData, ModelConfig]:
    train, dev = ([row for entry in entries for row in entry.asked(folder)] for entries in (recipe.train_data, recipe.dev_data))
    target = known if isinstance(known, SubwordTokenizer) else vocabulary(train, recipe.tokenizer.size, recipe.tokenizer.wholes)
    data = QuestionData(tuple(train), tuple(dev), (), target)
    if recipe.model.source == "image":
        encoder, share = image_encoder(recipe.train.precision, recipe.model.eyes), max(one.degraded for one in recipe.train_data)
        arrays = [as_captioned(rows, folder).grids(encoder, cache, 0, advance, part) for rows, part in ((dev, 0.0), (train, share))]
        data = replace(data, arrays=tuple(arrays))
    channels = data.arrays[0].shape[2] if data.arrays else recipe.model.source_vocab
    return data, replace(recipe.model, source_vocab=channels, target_vocab=target.size)


def _photos(recipe: Recipe, train: Captioned, dev: Captioned, target: Tokenizer, cache: Path, advance: Advance) -> CaptionData:
    encoder = image_encoder(recipe.train.precision, recipe.model.eyes)
    degraded = max(one.degraded for one in recipe.train_data)
    views = [train.grids(encoder, cache, view, advance, degraded) for view in range(max(one.views for one in recipe.train_data))]
    scrambled = max(one.scrambled for one in recipe.train_data)
    return CaptionData(train, dev, (dev.grids(encoder, cache, advance=advance), *views), target, scrambled)
