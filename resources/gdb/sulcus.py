"""Shows Sulcus' types in gdb by meaning: positions, maps, grids, volumes and series.

    (gdb) source resources/gdb/sulcus.py
    (gdb) print series
    $1 = series of float, 65 volumes of 100 × 100 × 60 voxels, 0 to 1042.5, mean 310.2

At most 100 000 values are used, evenly spread; `print series.values` shows all of them.
"""

import gdb
import gdb.printing

MOST_VALUES = 100000


def shown(number):
    return f"{float(number):.6g}"


def vector_text(value):
    return "(" + ", ".join(shown(value[axis]) for axis in "xyz") + ")"


def size_text(grid):
    return " × ".join(str(int(grid["size"][axis])) for axis in "xyz") + " voxels"


def values_of(vector):
    """The numbers of a std::vector, at most MOST_VALUES of them, and how many it has."""
    first, last = (vector["_M_impl"][end] for end in ("_M_start", "_M_finish"))
    count = int(last - first)
    step = max(1, count // MOST_VALUES)
    if count == 0:
        return [], 0
    bytes_each = first.dereference().type.sizeof
    code = {gdb.TYPE_CODE_FLT: {4: "f", 8: "d"}, gdb.TYPE_CODE_INT: {1: "B", 2: "h", 4: "i", 8: "q"}}
    kind = code.get(first.dereference().type.strip_typedefs().code, {}).get(bytes_each)
    if kind is None:
        return [], count
    memory = gdb.selected_inferior().read_memory(int(first), count * bytes_each)
    return list(memoryview(memory).cast("B").cast(kind)[::step]), count


def range_text(vector):
    numbers, count = values_of(vector)
    finite = [x for x in numbers if x == x and abs(x) != float("inf")]
    if not finite:
        return f"{count} values" if count == 0 or not numbers else f"{count} values, none finite"
    text = f"{shown(min(finite))} to {shown(max(finite))}, mean {shown(sum(finite) / len(finite))}"
    return text + (f", {len(numbers) - len(finite)} not finite" if len(finite) < len(numbers) else "")


class Vec3:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return vector_text(self.value)


class Affine:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        rows = (self.value["m"]["_M_elems"][i]["_M_elems"] for i in range(3))
        shift = self.value["t"]
        return "; ".join(
            " ".join(shown(row[j]) for j in range(3)) + " | " + shown(shift[axis]) for row, axis in zip(rows, "xyz"))


class Grid:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "grid of " + size_text(self.value)

    def children(self):
        yield "worldFromVoxel", self.value["worldFromVoxel"]
        yield "space", self.value["space"]


class Volume:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        kind = self.value.type.strip_typedefs().template_argument(0)
        return f"volume of {kind}, {size_text(self.value['grid'])}, {range_text(self.value['values'])}"


class Series:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        kind = self.value.type.strip_typedefs().template_argument(0)
        return (f"series of {kind}, {int(self.value['count'])} volumes of {size_text(self.value['grid'])}, "
                f"{range_text(self.value['values'])}")


def printers():
    collection = gdb.printing.RegexpCollectionPrettyPrinter("sulcus")
    for name, pattern, printer in (("Vec3", "Vec3<.*>", Vec3), ("Affine", "Affine", Affine), ("Grid", "Grid", Grid),
                                   ("Volume", "Volume<.*>", Volume), ("Series", "Series<.*>", Series)):
        collection.add_printer(name, f"^sulcus::{pattern}$", printer)
    return collection


gdb.printing.register_pretty_printer(None, printers(), replace=True)
