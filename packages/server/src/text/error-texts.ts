import { type FailureCode, failureTexts } from '@panel/contract/failure-texts'
import { type Sentence, sentenceText } from '@panel/contract/sentences'
import { type WordpressTaskProblemCode, wordpressTaskProblemTexts } from '@panel/contract/wordpress-care-texts'
import { type WordpressProblemCode, wordpressProblemTexts } from '@panel/contract/wordpress-texts'

/** All texts of coded error messages; the codes of the tables do not overlap. */
export const errorTexts = { ...failureTexts, ...wordpressProblemTexts, ...wordpressTaskProblemTexts }

export type ErrorSentence = Sentence<FailureCode | WordpressProblemCode | WordpressTaskProblemCode>

/** Error message: English text, or codes that the dashboard translates. */
export type Says = string | ErrorSentence | readonly ErrorSentence[]

export function readSays(says: Says): { text: string; sentences: readonly ErrorSentence[] } {
  if (typeof says === 'string') return { text: says, sentences: [] }
  const sentences = 'code' in says ? [says] : says
  return { text: sentenceText(errorTexts, sentences), sentences }
}
