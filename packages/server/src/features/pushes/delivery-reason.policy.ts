import { type DeliveryReasonCode, deliveryReasonTexts } from '@panel/contract/delivery-reason-texts'
import { recognized, type Sentence, sentenceText, type SentenceValues } from '@panel/contract/sentences'

export const deliveryReason = (code: DeliveryReasonCode, values: SentenceValues = {}): string =>
  sentenceText(deliveryReasonTexts, [{ code, values }])

/** Empty for a text that is not ours. */
export function reasonSentences(reason: string | null): Sentence<DeliveryReasonCode>[] {
  const sentence = reason === null ? undefined : recognized(deliveryReasonTexts, reason)
  return sentence === undefined ? [] : [sentence]
}
