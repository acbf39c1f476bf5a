import type { Automaton } from './needle-automaton.policy.ts'

/** Takes a text in pieces and hands it on with bullets in the place of what was found. */
export interface StreamMasker {
  /** What is decided of the text so far: all but an end that may be the beginning of a needle. */
  write(text: string): string
  /** The rest. What is written after it is a text of its own. */
  end(): string
}

const mask = '••••••'

interface Span {
  from: number
  to: number
}

/**
 * Whatever is part of a needle is masked, and needles that overlap together. Takes time in proportion to the text, and memory for its piece
 * and the longest needle.
 */
export function createStreamMasker({ next, depth, longest }: Automaton): StreamMasker {
  let state = 0
  // Places in the whole text: how far it was read, and where what is held begins.
  let position = 0
  let heldFrom = 0
  let held = ''
  /** What is to be masked of what has not been handed on, in order. A last one may grow still: its text is dropped meanwhile. */
  let spans: Span[] = []

  const noteNeedle = (to: number, length: number) => {
    let from = to - length
    for (let last = spans.at(-1); last !== undefined && last.to > from; last = spans.at(-1)) {
      from = Math.min(from, last.from)
      spans.pop()
    }
    spans.push({ from, to })
  }
  const handOnUpTo = (limit: number): string => {
    const parts: string[] = []
    let at = heldFrom
    let done = 0
    for (const { from, to } of spans) {
      if (from >= limit) break
      if (from > at) parts.push(held.slice(at - heldFrom, from - heldFrom))
      at = Math.min(to, limit)
      if (to > limit) break
      parts.push(mask)
      done++
    }
    if (spans[done] === undefined || spans[done]!.from >= limit) parts.push(held.slice(at - heldFrom, limit - heldFrom))
    spans = spans.slice(done)
    held = held.slice(limit - heldFrom)
    heldFrom = limit
    return parts.join('')
  }
  return {
    write(text) {
      held += text
      for (let index = 0; index < text.length; index++) {
        state = next(state, text.charCodeAt(index))
        const length = longest(state)
        if (length > 0) noteNeedle(position + index + 1, length)
      }
      position += text.length
      return handOnUpTo(position - depth(state))
    },
    end() {
      state = 0
      return handOnUpTo(position)
    }
  }
}

/** A whole text. */
export function maskText(automaton: Automaton, text: string): string {
  const masker = createStreamMasker(automaton)
  return masker.write(text) + masker.end()
}
