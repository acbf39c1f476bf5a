import { z } from 'zod'
import { describe, sentenceOf } from './details.ts'

/** Zod's own words in every schema that has none: for a person who has filled in a form, not for whoever wrote it. */
const messageOf = (issue: z.core.$ZodRawIssue): string => sentenceOf(describe(issue))

z.config({ localeError: messageOf })
