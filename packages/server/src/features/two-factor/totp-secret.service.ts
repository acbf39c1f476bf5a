import { z } from 'zod'
import { Id } from '@panel/contract/common'
import type { Dependencies } from '../../dependencies.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { findUser } from '../users/account-access.ts'
import { matchTotpStep, newTotpSecret } from './totp.policy.ts'
import { savePendingSecret } from './two-factor.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'now' | 'secretBox'>

export const prepareTotpSecret = workerVerb('twoFactor.prepare', [Id], prepare)

async function prepare(deps: Deps, userId: string): Promise<string | null> {
  const secret = newTotpSecret()
  return (await savePendingSecret(deps.db, userId, deps.secretBox.seal(secret))) ? secret : null
}

/** The time step of a code; undefined if it is wrong or already used. The secret stays in the worker. */
export const checkTotp = workerVerb('twoFactor.check', [Id, z.string().max(64)], check)

async function check(deps: Deps, userId: string, code: string): Promise<number | undefined> {
  const user = await findUser(deps.db, userId)
  if (!user || user.totpSecret === null) return undefined
  return matchTotpStep(deps.secretBox.open(user.totpSecret), code, deps.now(), user.totpLastStep)
}
