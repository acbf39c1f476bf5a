import { z } from 'zod'
import { Id, sentencesOf } from './common.ts'
import { explainTexts } from './explain-texts.ts'

/** In the order in which a visitor's request passes them. */
export const explainSteps = [
  'DELEGATION',
  'ADDRESS',
  'CONNECTION',
  'TLS',
  'ROUTE',
  'CONTAINER',
  'RESPONSE',
  'LOG'
] as const
export const ExplainStepName = z.enum(explainSteps)
export type ExplainStepName = z.infer<typeof ExplainStepName>

export const ExplainStatus = z.enum(['OK', 'FAILED', 'SKIPPED']).meta({
  description: 'SKIPPED: could not be checked, or does not apply.'
})
export type ExplainStatus = z.infer<typeof ExplainStatus>

export const ExplainStep = z
  .object({
    step: ExplainStepName,
    status: ExplainStatus,
    message: z.string().meta({ description: 'What was seen, and what to do.' }),
    sentences: sentencesOf('ExplainCode', explainTexts)
  })
  .meta({ id: 'ExplainStep' })
export type ExplainStep = z.infer<typeof ExplainStep>

export const ExplainQuery = z.object({
  host: z.string().min(1).max(253).meta({
    description:
      'A hostname that this panel serves: a domain, a name below a wildcard domain, or the name of a project.'
  })
})
export type ExplainQuery = z.infer<typeof ExplainQuery>

export const Explanation = z
  .object({
    hostname: z.string(),
    domainId: Id.nullable(),
    projectId: Id.nullable(),
    cause: ExplainStepName.nullable().meta({
      description: 'The first step that failed; null if the site answers.'
    }),
    steps: z.array(ExplainStep),
    log: z
      .array(z.string().meta({ examples: ['Listening on port 3000'] }))
      .meta({ description: 'The last lines of the application log, with known secrets masked.' })
  })
  .meta({ id: 'Explanation' })
export type Explanation = z.infer<typeof Explanation>
