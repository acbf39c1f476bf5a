import { z } from 'zod'
import { Id, sentencesOf, singleLine, Timestamp } from './common.ts'
import { words } from './details.ts'

/** Forgejo has the API of Gitea. */
export const statusProviders = ['GITHUB', 'GITLAB', 'GITEA'] as const
export const StatusProvider = z.enum(statusProviders)
export type StatusProvider = z.infer<typeof StatusProvider>

export const commitStates = ['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED'] as const
export const CommitState = z.enum(commitStates)
export type CommitState = z.infer<typeof CommitState>

/** `RETRYING`: the latest attempt failed, and another follows. */
export const statusOutcomes = ['SENT', 'RETRYING', 'FAILED'] as const
export const StatusOutcome = z.enum(statusOutcomes)

export const commitStatusTexts = {
  TOKEN_REJECTED: 'The token was rejected. Create one that may write commit statuses, and save it here.',
  COMMIT_NOT_FOUND: 'The repository or the commit was not found with this token. Check the access of the token.',
  REDIRECTED: 'The API answered with a redirect, which is not followed. Use the current address of the repository.',
  ANSWERED: 'The API answered with the status {{status}}.',
  NOT_SENT: 'The request was not sent or not answered: {{reason}}.',
  NO_REPOSITORY: 'The project has no repository.'
} as const
export type CommitStatusCode = keyof typeof commitStatusTexts

export const CommitStatus = z
  .object({
    provider: StatusProvider.nullable().meta({ description: 'Null: no statuses are sent.' }),
    apiUrl: z
      .string()
      .nullable()
      .meta({ description: 'Base of the API that gets the token.', examples: ['https://git.example.com/api/v1'] }),
    last: z
      .object({
        state: CommitState,
        commitHash: z.string(),
        deploymentId: Id,
        outcome: StatusOutcome.meta({ description: '`RETRYING`: another attempt follows.' }),
        reason: z.string().nullable().meta({ description: 'Why the latest attempt failed.' }),
        sentences: sentencesOf('CommitStatusCode', commitStatusTexts),
        at: Timestamp
      })
      .nullable()
      .meta({ description: 'The latest attempt to send a status.' })
  })
  .meta({ id: 'CommitStatus' })
export type CommitStatus = z.infer<typeof CommitStatus>

export const SetCommitStatus = z.object({
  provider: StatusProvider,
  token: singleLine(500)
    .min(1)
    .meta({ description: 'May write commit statuses of the repository. Encrypted, and never shown again.' }),
  apiUrl: z
    .url({ protocol: /^https?$/, error: words.WEB_ADDRESS })
    .max(300)
    .refine((text) => !/[?#@]/.test(text), { error: words.WEB_ADDRESS })
    .nullable()
    .default(null)
    .meta({
      description:
        'Base of the API, such as https://git.example.com/api/v1. Default: from the address of the repository.',
      examples: ['https://git.example.com/api/v1']
    })
})
export type SetCommitStatus = z.infer<typeof SetCommitStatus>
