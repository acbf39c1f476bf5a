import { randomBytes } from 'node:crypto'
import type { Transaction } from '../../db/database.ts'
import { findSetting, removeSetting, saveSetting } from '../../db/settings.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { anyUserExists, lockFirstUser } from '../users/account-access.ts'
import { type FirstAccountRequest, mayMakeFirstAccount, setupTokenHash } from './first-account.policy.ts'

const setting = 'setup_token_hash'

/** Creates a setup token and invalidates earlier ones; undefined once an account exists. */
export function issueSetupToken({ db }: Pick<Dependencies, 'db'>): Promise<string | undefined> {
  return db.transaction(async (trx) => {
    await lockFirstUser(trx)
    if (await anyUserExists(trx)) return undefined
    const token = randomBytes(24).toString('base64url')
    await saveSetting(trx, setting, setupTokenHash(token))
    return token
  })
}

/** Consumes the setup link in the transaction that creates the first account. */
export async function claimFirstAccount(trx: Transaction, request: FirstAccountRequest): Promise<void> {
  if (!mayMakeFirstAccount(await findSetting(trx, setting), request))
    throw new AppError(
      'SETUP_TOKEN_REQUIRED',
      'Create the first account with the setup link that the panel printed when it started, or on the server itself'
    )
  await removeSetting(trx, setting)
}
