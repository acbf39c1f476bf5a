import { randomBytes } from 'node:crypto'
import type { DatabaseType } from '@panel/contract/databases'
import { ensureSetting } from '../db/settings.ts'
import type { Store } from '../wiring/store.ts'

type Deps = Pick<Store, 'db' | 'secretBox'>

/** The key with which the name servers talk to each other, Base64: made once. */
export async function dnsTransferKey({ db, secretBox }: Deps): Promise<string> {
  return secretBox.open(
    await ensureSetting(db, 'dns_transfer_key', () => secretBox.seal(randomBytes(32).toString('base64')))
  )
}

/** The account with which the panel makes databases on the engines that `up` starts; its password is made once. */
export const databaseAdminAccount = 'panel'

export async function databaseAdminPassword({ db, secretBox }: Deps, type: DatabaseType): Promise<string> {
  const key = `${type.toLowerCase()}_admin_password`
  return secretBox.open(await ensureSetting(db, key, () => secretBox.seal(randomBytes(24).toString('hex'))))
}

/** With which the webmail encrypts, in its database, the passwords of those who are logged in: 32 letters and digits, made once. */
export async function webmailSessionKey({ db, secretBox }: Deps): Promise<string> {
  return secretBox.open(
    await ensureSetting(db, 'webmail_session_key', () => secretBox.seal(randomBytes(16).toString('hex')))
  )
}
