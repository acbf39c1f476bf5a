import { type FailureCode, failureTexts } from '@panel/contract/failure-texts'
import { type Sentence, sentenceText } from '@panel/contract/sentences'
import { type WordpressProblemCode, wordpressProblemTexts } from '@panel/contract/wordpress-texts'

/** The coded messages that an error may carry; the codes of the two tables differ. */
export const errorTexts = { ...failureTexts, ...wordpressProblemTexts }

export type ErrorSentence = Sentence<FailureCode | WordpressProblemCode>

/** What an error says: English text, or coded messages, which the dashboard translates. */
export type Says = string | ErrorSentence | readonly ErrorSentence[]

export function readSays(says: Says): { text: string; sentences: readonly ErrorSentence[] } {
  if (typeof says === 'string') return { text: says, sentences: [] }
  const sentences = 'code' in says ? [says] : says
  return { text: sentenceText(errorTexts, sentences), sentences }
}
