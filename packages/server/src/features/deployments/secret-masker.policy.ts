import type { Automaton } from './needle-automaton.policy.ts'

export interface StreamMasker {
  /** Returns the text that is final: all but an end that may start a needle. */
  write(text: string): string
  /** Returns the rest. Text written afterwards is independent. */
  end(): string
}

const mask = '••••••'

interface Span {
  from: number
  to: number
}

/** Linear time; memory for a piece and the longest needle. Overlapping matches become one mask. */
export function createStreamMasker({ next, depth, longest }: Automaton): StreamMasker {
  let state = 0
  // Absolute positions: how far the text was read, and where the held text starts.
  let position = 0
  let heldFrom = 0
  let held = ''
  /** Spans to mask in the held text, in order. The last one may still grow; its text is already dropped. */
  let spans: Span[] = []

  const addSpan = (to: number, length: number) => {
    let from = to - length
    for (let last = spans.at(-1); last !== undefined && last.to > from; last = spans.at(-1)) {
      from = Math.min(from, last.from)
      spans.pop()
    }
    spans.push({ from, to })
  }
  const releaseUpTo = (limit: number): string => {
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
        if (length > 0) addSpan(position + index + 1, length)
      }
      position += text.length
      return releaseUpTo(position - depth(state))
    },
    end() {
      state = 0
      return releaseUpTo(position)
    }
  }
}

export function maskText(automaton: Automaton, text: string): string {
  const masker = createStreamMasker(automaton)
  return masker.write(text) + masker.end()
}
