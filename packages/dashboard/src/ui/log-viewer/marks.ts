import type { Span } from './ansi.ts'

export interface MarkedSpan extends Span {
  isMatch: boolean
}

export function markMatches(spans: readonly Span[], wanted: string): MarkedSpan[] {
  const unmarked = () => spans.map((span) => ({ ...span, isMatch: false }))
  if (wanted === '') return unmarked()
  const text = spans.map((span) => span.text).join('')
  const matches = matchesIn(text.toLowerCase(), wanted.toLowerCase())
  if (matches.length === 0) return unmarked()
  const edges = [...new Set(matches.flatMap(({ from, to }) => [from, to]))]
  let offset = 0
  return spans.flatMap((span) => {
    const start = offset
    offset += span.text.length
    const cuts = [start, ...edges.filter((edge) => edge > start && edge < offset), offset]
    return cuts.slice(1).map((end, at) => ({
      ...span,
      text: text.slice(cuts[at], end),
      isMatch: matches.some(({ from, to }) => cuts[at]! >= from && end <= to)
    }))
  })
}

function matchesIn(text: string, wanted: string): { from: number; to: number }[] {
  const found = []
  for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + wanted.length))
    found.push({ from, to: from + wanted.length })
  return found
}
