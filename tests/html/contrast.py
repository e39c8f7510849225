"""The contrast of two colours, by the definition of WCAG 2."""

import re

READABLE = 4.5  # of text of a usual size, level AA


def luminance(color):
    if color.startswith("rgb"):
        parts = [int(part) for part in re.findall(r"\d+", color)[:3]]
    else:
        digits = color[1:] if len(color) == 7 else "".join(2 * digit for digit in color[1:])
        parts = [int(digits[at:at + 2], 16) for at in (0, 2, 4)]
    linear = [part / 255 / 12.92 if part / 255 <= 0.04045 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(a, b):
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
