import { z } from 'zod'
import { Id, Timestamp } from './common.ts'
import { secret } from './field-scope.ts'

export const maxSshKeys = 20

/** One line of an authorized_keys file without options; validated in features/sftp/ssh-key.policy.ts. */
export const AddSshKey = z.object({
  publicKey: z
    .string()
    .min(1)
    .max(16_384)
    .meta({ description: 'One public key in OpenSSH format: type, Base64, comment.' })
})
export const RemoveSshKey = AddSshKey

export const SftpUser = z
  .object({
    id: Id,
    userId: Id,
    linuxUsername: z.string(),
    host: z.string().meta({ description: 'Hostname of the server: `sftp -P <port> <linuxUsername>@<host>`.' }),
    port: z.int(),
    sshPublicKeys: z.array(z.string()),
    isEnabled: z.boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'SftpUser' })
export type SftpUser = z.infer<typeof SftpUser>

export const SftpCredentials = z
  .object({
    host: z.string(),
    port: z.int(),
    username: z.string(),
    password: secret(z.string()),
    isEnabled: z.boolean(),
    hostKeys: z.array(z.string()).meta({
      description: 'Fingerprints (SHA256:…) to verify on the first connection; empty while SFTP is unavailable.'
    })
  })
  .meta({ id: 'SftpCredentials' })
export type SftpCredentials = z.infer<typeof SftpCredentials>
