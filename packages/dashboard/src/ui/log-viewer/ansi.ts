export interface Span {
  text: string
  classes: readonly string[]
  color?: string
  background?: string
}

interface Style {
  foreground?: number | string
  background?: number | string
  bold?: boolean
  dim?: boolean
  italic?: boolean
  underline?: boolean
  inverse?: boolean
}

// ECMA-48: CSI and OSC sequences, two-character escapes and control characters except tab. Only SGR (CSI … m) is
// interpreted.
const escapes =
  /\u001b\[([0-?]*)([ -/]*)([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-Z\\-_]|[\u0000-\u0008\u000b-\u001f\u007f]/g

export const withoutEscapes = (line: string): string => line.replace(escapes, '')

export function parseAnsi(line: string): Span[] {
  const spans: Span[] = []
  let style: Style = {}
  let from = 0
  const push = (text: string) => {
    if (text !== '') spans.push({ text, ...styleOf(style) })
  }
  for (const match of line.matchAll(escapes)) {
    push(line.slice(from, match.index))
    from = match.index + match[0].length
    const [, parameters = '', intermediate, final] = match
    if (final === 'm' && intermediate === '') style = withCodes(style, parameters.split(/[;:]/).map(Number))
  }
  push(line.slice(from))
  return spans
}

const changes: Readonly<Record<number, Style>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false }
}

/** Start of each range of eight colors, what it applies to, and the first color number. */
const ranges = [
  { from: 30, place: 'foreground', color: 0 },
  { from: 40, place: 'background', color: 0 },
  { from: 90, place: 'foreground', color: 8 },
  { from: 100, place: 'background', color: 8 }
] as const

function withCodes(style: Style, codes: readonly number[]): Style {
  let next = { ...style }
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!
    const range = ranges.find(({ from }) => code >= from && code < from + 8)
    if (code === 0) next = {}
    else if (range) next[range.place] = range.color + code - range.from
    else if (code === 39) delete next.foreground
    else if (code === 49) delete next.background
    else if (code === 38 || code === 48) {
      const { color, length } = extendedColor(codes.slice(at + 1))
      if (color !== undefined) next[code === 38 ? 'foreground' : 'background'] = color
      at += length
    } else Object.assign(next, changes[code])
  }
  return next
}

/** 5;n (256 colors) or 2;r;g;b, and how many codes were used. */
function extendedColor([kind, ...values]: readonly number[]): { color?: number | string; length: number } {
  if (kind === 5) return { color: indexedColor(values[0] ?? 0), length: 2 }
  if (kind === 2) return { color: rgb(values[0], values[1], values[2]), length: 4 }
  return { length: 0 }
}

/** xterm palette: 16 names, a 6×6×6 cube and 24 greys. */
function indexedColor(index: number): number | string {
  if (index < 16) return index
  if (index >= 232) {
    const grey = (index - 232) * 10 + 8
    return rgb(grey, grey, grey)
  }
  const [red, green, blue] = [36, 6, 1]
    .map((step) => Math.floor((index - 16) / step) % 6)
    .map((level) => (level === 0 ? 0 : level * 40 + 55))
  return rgb(red, green, blue)
}

const rgb = (...parts: readonly (number | undefined)[]): string =>
  `rgb(${parts.map((part) => Math.min(255, Math.max(0, Math.trunc(part ?? 0) || 0))).join(' ')})`

function styleOf(style: Style): Omit<Span, 'text'> {
  const [front, back] = style.inverse ? [style.background, style.foreground] : [style.foreground, style.background]
  return {
    classes: [
      ...(typeof front === 'number' ? [`f${front}`] : []),
      ...(typeof back === 'number' ? [`b${back}`] : []),
      ...(['bold', 'dim', 'italic', 'underline', 'inverse'] as const).filter((name) => style[name])
    ],
    ...(typeof front === 'string' && { color: front }),
    ...(typeof back === 'string' && { background: back })
  }
}
