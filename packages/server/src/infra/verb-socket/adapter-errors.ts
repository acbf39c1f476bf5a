import { z } from 'zod'
import { sentencesOf } from '@panel/contract/common'
import { type RemedyCode as Remedy, remedyTexts } from '@panel/contract/remedy-texts'
import { errorTexts } from '../../text/error-texts.ts'
import { AdapterError, adapterErrorKinds } from '../adapter-error.ts'
import type { ErrorCodec } from './verb.ts'

export const RemedyCode = z.enum(Object.keys(remedyTexts) as [Remedy, ...Remedy[]])
export const ErrorSentences = sentencesOf('ErrorSentenceCode', errorTexts).default([])

export const AdapterErrorData = z.object({
  is: z.literal('adapter'),
  message: z.string(),
  sentences: ErrorSentences,
  reason: z.string().optional(),
  remedy: RemedyCode.optional(),
  kind: z.enum(adapterErrorKinds)
})
type AdapterErrorData = z.infer<typeof AdapterErrorData>

/** Causes stay in the process where the error happened. */
export const adapterErrors = {
  encode(error): AdapterErrorData | undefined {
    if (!(error instanceof AdapterError)) return undefined
    const { explanation, kind, remedy, sentence, sentences } = error
    return { is: 'adapter', message: sentence, sentences: [...sentences], reason: explanation, remedy, kind }
  },
  decode(content): AdapterError {
    const { kind, message, reason, remedy, sentences } = AdapterErrorData.parse(content)
    return new AdapterError(kind, sentences.length > 0 ? sentences : message, { reason, remedy })
  }
} satisfies ErrorCodec
