import { CreateBackupTarget } from '@panel/contract/backups'
import type { RepositoryPlace } from '../infra/backup-repository/backup-repository.ts'

type Kind = RepositoryPlace['kind']

interface Credential {
  /** Environment variable, and name in a file of credentials. Never an argument, which all users can read. */
  variable: string
  /** Question on the terminal. */
  question: string
  /** The variable names a file with the value. */
  isFile?: boolean
  isOptional?: boolean
  isSecret?: boolean
}

export const keyCredential: Credential = { variable: 'RESTORE_KEY', question: 'Key of the target', isSecret: true }

const authority: Credential = {
  variable: 'RESTORE_CA_FILE',
  question: 'CA certificate (file)',
  isFile: true,
  isOptional: true
}

/** What each kind of target needs besides its address, by member of CreateBackupTarget. */
export const credentials: Readonly<Record<Kind, Readonly<Record<string, Credential>>>> = {
  FOLDER: {},
  SFTP: {
    privateKey: { variable: 'RESTORE_PRIVATE_KEY_FILE', question: 'Private SSH key (file)', isFile: true },
    hostKey: { variable: 'RESTORE_HOST_KEY', question: 'Public host key of the server, without its name' }
  },
  S3: {
    accessKeyId: { variable: 'RESTORE_ACCESS_KEY_ID', question: 'Access key ID' },
    secretAccessKey: { variable: 'RESTORE_SECRET_ACCESS_KEY', question: 'Secret access key', isSecret: true },
    caCertificate: authority
  },
  REST: {
    username: { variable: 'RESTORE_USERNAME', question: 'Username', isOptional: true },
    password: { variable: 'RESTORE_PASSWORD', question: 'Password', isOptional: true, isSecret: true },
    caCertificate: authority
  }
}

type Address = { kind: Kind } & Record<string, unknown>

/** A target as the dashboard shows it: a folder, `sftp://user@host:port/path`, `s3:https://…/bucket/prefix`, `rest:https://…`. */
export function parseAddress(text: string): Address {
  if (text.startsWith('/')) return { kind: 'FOLDER', path: text }
  if (text.startsWith('rest:')) return { kind: 'REST', url: text.slice('rest:'.length) }
  const sftp = /^sftp:\/\/([^@/]+)@(.+?)(?::(\d+))?(\/.*)$/.exec(text)
  if (sftp) {
    const [, username, host, port, path] = sftp
    return { kind: 'SFTP', username, host, path, ...(port === undefined ? {} : { port: Number(port) }) }
  }
  const s3 = /^s3:(https?:\/\/[^/]+)\/([^/]+)\/?(.*)$/.exec(text)
  if (s3) {
    const [, endpoint, bucket, prefix] = s3
    return { kind: 'S3', endpoint, bucket, prefix }
  }
  throw new Error(
    `${text} is not a backup target. Use a folder (/mnt/backup/panel), sftp://user@host/path, s3:https://endpoint/bucket/prefix or rest:https://host/path.`
  )
}

/** Throws with the names of the wrong values, without the values. */
export function placeOf(address: Address, values: Readonly<Record<string, string>>): RepositoryPlace {
  const { data, error } = CreateBackupTarget.safeParse({ name: 'restore', ...address, ...values })
  if (error)
    throw new Error(
      `The backup target is not valid: ${error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join(', ')}`
    )
  const { name: _, ...place } = data
  return place as RepositoryPlace
}
