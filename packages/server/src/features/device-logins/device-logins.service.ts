import {
  type DeviceLogin,
  type DeviceTokenAnswer,
  readUserCode,
  type StartDeviceLogin,
  type StartedDeviceLogin
} from '@panel/contract/device-logins'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { hashToken, issueToken } from '../api-tokens/api-token-access.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getActor, lockUser } from '../users/account-access.ts'
import { newDeviceCode, newUserCode, shownUserCode } from './device-code.policy.ts'
import {
  answerDeviceLogin,
  countDeviceLogins,
  deleteDeviceLogin,
  deleteExpiredDeviceLogins,
  type DeviceLoginRow,
  findOpenDeviceLogin,
  insertDeviceLogin,
  lockDeviceLogin,
  markPolled
} from './device-logins.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now'>

const lifetimeSeconds = 600
const intervalSeconds = 5
const tokenDays = 90
/** Strangers can create rows. */
const maxOpen = 10_000

export async function startDeviceLogin(
  { config, db, now }: Deps,
  { ip, headers }: AuditOrigin,
  { name, scope }: StartDeviceLogin
): Promise<StartedDeviceLogin> {
  const [deviceCode, userCode, createdAt] = [newDeviceCode(), newUserCode(), now()]
  await db.transaction(async (trx) => {
    await deleteExpiredDeviceLogins(trx, createdAt)
    if ((await countDeviceLogins(trx)) >= maxOpen)
      throw new AppError('BUSY', 'Too many sign-ins are waiting. Try again in a few minutes.', {
        retryAfterSeconds: 60
      })
    await insertDeviceLogin(trx, {
      id: newId(createdAt.getTime()),
      deviceCodeHash: hashToken(deviceCode),
      userCodeHash: hashToken(userCode),
      name,
      scope,
      ip: ip ?? null,
      userAgent: headers?.['user-agent']?.replaceAll('\0', '').slice(0, 500) ?? null,
      expiresAt: new Date(createdAt.getTime() + lifetimeSeconds * 1000),
      createdAt
    })
  })
  const verificationUri = `${config.API_BASE_URL}/device`
  const shown = shownUserCode(userCode)
  return {
    deviceCode,
    userCode: shown,
    verificationUri,
    verificationUriComplete: `${verificationUri}?code=${shown}`,
    expiresInSeconds: lifetimeSeconds,
    intervalSeconds
  }
}

export async function showDeviceLogin({ db, now }: Deps, userCode: string): Promise<DeviceLogin> {
  const row = await findOpenDeviceLogin(db, hashToken(readUserCode(userCode)), now())
  if (!row) throw unknownCode()
  const { name, scope, ip, userAgent, createdAt, expiresAt } = row
  return {
    ...{ name, scope, ip, userAgent, tokenExpiresInDays: tokenDays },
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString()
  }
}

/** The token is created when the device asks for it: until then there is none that could leak. */
export async function answerLogin(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  { userCode, approve }: { userCode: string; approve: boolean }
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    await getActor(trx, userId)
    const now = deps.now()
    const row = await answerDeviceLogin(trx, hashToken(readUserCode(userCode)), { userId, isApproved: approve, now })
    if (!row) throw unknownCode()
    const action = approve ? 'device.approved' : 'device.denied'
    const metadata = { name: row.name, scope: row.scope, deviceIp: row.ip }
    await recordAudit(deps, trx, origin, { action, actorId: userId, targetId: row.id, metadata })
  })
}

/** Single use: the lock lets one request take the token, and the row goes with it. */
export async function takeDeviceToken(deps: Deps, origin: AuditOrigin, deviceCode: string): Promise<DeviceTokenAnswer> {
  const outcome = await deps.db.transaction(async (trx): Promise<DeviceTokenAnswer | AppError> => {
    const now = deps.now()
    const row = await lockDeviceLogin(trx, hashToken(deviceCode))
    if (!row || row.expiresAt <= now) return new AppError('LINK_INVALID', 'The code has expired. Sign in again.')
    if (row.userId === null) {
      const wait = waitSeconds(row, now)
      if (wait > 0)
        return new AppError('RATE_LIMITED', `Ask every ${intervalSeconds} seconds`, { retryAfterSeconds: wait })
      await markPolled(trx, row.id, now)
      return { status: 'PENDING', intervalSeconds, token: null }
    }
    await deleteDeviceLogin(trx, row.id)
    if (!row.isApproved) return new AppError('FORBIDDEN', 'The sign-in was denied in the browser')
    await lockUser(trx, row.userId)
    await getActor(trx, row.userId)
    const input = { name: row.name, scope: row.scope, expiresInDays: tokenDays }
    return {
      status: 'APPROVED',
      intervalSeconds,
      token: await issueToken(deps, trx, origin, row.userId, input)
    }
  })
  // Not thrown inside, because a denied row has to go.
  if (outcome instanceof AppError) throw outcome
  return outcome
}

/** A second of tolerance for clients with an exact timer. */
const waitSeconds = ({ polledAt }: DeviceLoginRow, now: Date): number =>
  polledAt === null ? 0 : Math.ceil(intervalSeconds - 1 - (now.getTime() - polledAt.getTime()) / 1000)

const unknownCode = () => new AppError('LINK_INVALID', 'This code is not valid, or has expired. Start again.')
