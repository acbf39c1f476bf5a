import { z } from 'zod'
import { Id, singleLine, Timestamp } from './common.ts'
import { FailureSentences } from './deployments.ts'
import { RegistryHost } from './image-references.ts'

export const Registry = z
  .object({
    id: Id,
    host: z.string(),
    username: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'Registry' })
export type Registry = z.infer<typeof Registry>

export const RegistryList = z.object({ registries: z.array(Registry) }).meta({ id: 'RegistryList' })
export type RegistryList = z.infer<typeof RegistryList>

export const SetRegistry = z
  .object({
    host: RegistryHost,
    username: singleLine(200).min(1),
    secret: singleLine(4000).min(1).meta({
      description: 'Password, or a token of the registry, that may read images. Encrypted, and never shown again.'
    })
  })
  .meta({ id: 'SetRegistry' })
export type SetRegistry = z.infer<typeof SetRegistry>

export const ImageUpdate = z
  .object({
    reference: z.string().nullable().meta({ description: 'The image of the project.' }),
    deployedDigest: z.string().nullable().meta({ description: 'Digest of the live release; null without one.' }),
    latestDigest: z
      .string()
      .nullable()
      .meta({ description: 'Digest that the tag had at the latest check; null before the first.' }),
    isNewer: z.boolean().meta({ description: 'Whether the tag names another image than the live release.' }),
    checkedAt: Timestamp.nullable(),
    problem: z.string().nullable().meta({ description: 'Why the latest check failed.' }),
    sentences: FailureSentences
  })
  .meta({ id: 'ImageUpdate' })
export type ImageUpdate = z.infer<typeof ImageUpdate>
