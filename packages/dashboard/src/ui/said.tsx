import { joined, type Sentence } from '@panel/contract/sentences'
import { useMessages } from '../i18n/i18n.tsx'
import type { Catalogue, MessageKey, Messages } from '../i18n/messages.ts'
import { Foreign } from './foreign.tsx'

/** Says sentences of the server's by their codes, which stand in the catalogue behind a word of their own; undefined where it does not know one, or there is none. */
export function useSaid<English extends Catalogue>(
  messages: Messages<English>
): (word: string, sentences: readonly Sentence[]) => string | undefined {
  const t = useMessages(messages)
  return (word, sentences) => {
    const keys = sentences.map(({ code }) => `${word}.${code}`)
    if (keys.length === 0 || !keys.every((key) => key in messages.english)) return undefined
    return joined(sentences.map(({ values }, at) => t(keys[at] as MessageKey<English>, values)))
  }
}

interface SaidProps<English extends Catalogue> {
  messages: Messages<English>
  /** Before the codes in the catalogue. */
  word: string
  sentences: readonly Sentence[]
  /** The same in the server's own words, which are shown where a code is not known here. */
  children: string
}

/** What the server says, in the language of the page. */
export function Said<English extends Catalogue>({ messages, word, sentences, children }: SaidProps<English>) {
  return useSaid(messages)(word, sentences) ?? <Foreign lang="en">{children}</Foreign>
}
