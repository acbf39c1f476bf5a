import { randomBytes } from 'node:crypto'
import type { DatabaseType } from '@panel/contract/databases'
import { ensureSetting, replaceSetting } from '../db/settings.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Store } from '../wiring/store.ts'
import { type DatedSecret, rotateSecrets } from './secret-rotation.policy.ts'

type Deps = Pick<Store, 'db' | 'secretBox'>

export async function dnsTransferKey({ db, secretBox }: Deps): Promise<string> {
  return secretBox.open(
    await ensureSetting(db, 'dns_transfer_key', () => secretBox.seal(randomBytes(32).toString('base64')))
  )
}

export const databaseAdminAccount = 'panel'

export async function databaseAdminPassword({ db, secretBox }: Deps, type: DatabaseType): Promise<string> {
  const key = `${type.toLowerCase()}_admin_password`
  return secretBox.open(await ensureSetting(db, key, () => secretBox.seal(randomBytes(24).toString('hex'))))
}

/** Key with which the webmail encrypts the passwords of its sessions: 32 hex digits, created once. */
export async function webmailSessionKey({ db, secretBox }: Deps): Promise<string> {
  return secretBox.open(
    await ensureSetting(db, 'webmail_session_key', () => secretBox.seal(randomBytes(16).toString('hex')))
  )
}

const forwardingKey = 'mail_forwarding_secrets'

/** Keys for signing SRS addresses, latest first. Rotated twice a year; the previous key stays valid for one period. */
export async function forwardingSecrets({
  db,
  secretBox,
  now
}: Deps & Pick<Dependencies, 'now'>): Promise<readonly string[]> {
  const make = () => randomBytes(24).toString('hex')
  const seal = (secrets: readonly DatedSecret[]) => secretBox.seal(JSON.stringify(secrets))
  for (;;) {
    const sealed = await ensureSetting(db, forwardingKey, () => seal(rotateSecrets([], now(), make)))
    const kept = JSON.parse(secretBox.open(sealed)) as DatedSecret[]
    const rotated = rotateSecrets(kept, now(), make)
    // Only one process rotates; all use what is in the database.
    if (rotated === kept || (await replaceSetting(db, forwardingKey, sealed, seal(rotated))))
      return rotated.map(({ secret }) => secret)
  }
}
