import type { ExplainCode } from '@panel/contract/explain-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { Verdict } from './observations.types.ts'

type Sentences = Sentence<ExplainCode>[]

export const ok = (...sentences: Sentences): Verdict => ({ status: 'OK', sentences })
export const failed = (...sentences: Sentences): Verdict => ({ status: 'FAILED', sentences })
export const skipped = (...sentences: Sentences): Verdict => ({ status: 'SKIPPED', sentences })

export const notChecked = skipped({ code: 'NOT_CHECKED' })
export const notApplicable = skipped({ code: 'NOT_APPLICABLE' })
