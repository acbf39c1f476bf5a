import type { Dependencies } from '../../dependencies.ts'
import { limitKey } from '../../http/client-ip.ts'
import type { LogInAttempt, LogInPolicy } from '../../infra/mail-server/log-in-policy-server.ts'
import { rightLogIns } from './right-log-ins.ts'
import { createLogInBrake, type LogIn } from './log-in-brake.policy.ts'

/** Per process: only one worker runs at a time. */
export function createLogInPolicy({
  logger,
  mailServer,
  now
}: Pick<Dependencies, 'logger' | 'mailServer' | 'now'>): LogInPolicy {
  const brake = createLogInBrake()
  return {
    isAllowed(attempt) {
      const logIn = logInOf(attempt)
      const at = now().getTime()
      const isOpen = brake.isOpen(logIn, at) && brake.take(logIn, at)
      if (!isOpen)
        logger.info({ mailbox: logIn.login, network: logIn.network }, 'mail login rejected: too many attempts')
      return isOpen
    },
    notifyOwner(attempt, isRight) {
      const at = now().getTime()
      brake.notifyOwner(logInOf(attempt), isRight, at)
      if (isRight) rightLogIns(mailServer).note(attempt.login.slice(0, 320), attempt.address, at)
    }
  }
}

const logInOf = ({ login, address, passwordHash }: LogInAttempt): LogIn => ({
  login: login.slice(0, 320),
  network: limitKey(address),
  passwordHash: passwordHash.slice(0, 64)
})
