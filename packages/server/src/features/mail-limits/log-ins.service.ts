import type { Dependencies } from '../../dependencies.ts'
import { limitKey } from '../../http/client-ip.ts'
import type { LogInAttempt, LogInPolicy } from '../../infra/mail-server/log-in-policy-server.ts'
import { rightLogIns } from './right-log-ins.ts'
import { createLogInBrake, type LogIn } from './log-in-brake.policy.ts'

/** Per process: only one worker runs at a time. */
export function createLogInPolicy({
  failedLogIns,
  logger,
  mailServer,
  now
}: Pick<Dependencies, 'failedLogIns' | 'logger' | 'mailServer' | 'now'>): LogInPolicy {
  const brake = createLogInBrake()
  const reportGuess = ({ service, address }: LogInAttempt, { login, passwordHash }: LogIn) =>
    failedLogIns.report({ service, address, guess: `${passwordHash} ${login}` })
  return {
    isAllowed(attempt) {
      const logIn = logInOf(attempt)
      const at = now().getTime()
      const isOpen = brake.isOpen(logIn, at) && brake.take(logIn, at)
      if (isOpen) return true
      logger.info({ mailbox: logIn.login, network: logIn.network }, 'mail login rejected: too many attempts')
      reportGuess(attempt, logIn)
      return false
    },
    notifyOwner(attempt, isRight) {
      const at = now().getTime()
      brake.notifyOwner(logInOf(attempt), isRight, at)
      if (!isRight) reportGuess(attempt, logInOf(attempt))
      else rightLogIns(mailServer).note(attempt.login.slice(0, 320), attempt.address, at)
    }
  }
}

const logInOf = ({ login, address, passwordHash }: LogInAttempt): LogIn => ({
  login: login.slice(0, 320),
  network: limitKey(address),
  passwordHash: passwordHash.slice(0, 64)
})
