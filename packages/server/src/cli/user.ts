import QRCode from 'qrcode'
import { features } from '../features/index.ts'
import { enrolTwoFactor } from '../features/two-factor/two-factor.service.ts'
import type { CommandContext } from './command.ts'
import { withStore } from './store.ts'
import { resetPassword, resetPasswordUsage } from './user-reset-password.ts'

type Subcommand = (context: CommandContext) => Promise<void>

const subcommands: Readonly<Record<string, { usage: string; run: Subcommand }>> = {
  'enrol-2fa': { usage: 'enrol-2fa <email address>', run: enrol },
  'reset-password': { usage: resetPasswordUsage, run: resetPassword }
}

/** `./panel user <subcommand>`: account recovery by the administrator of the machine. */
export async function user(context: CommandContext): Promise<void> {
  const [name = '', ...args] = context.args
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
  if (!subcommand) {
    throw new Error(['Usage:', ...Object.values(subcommands).map(({ usage }) => `  ./panel user ${usage}`)].join('\n'))
  }
  await subcommand.run({ ...context, args })
}

async function enrol({ args: [email, ...rest], env }: CommandContext): Promise<void> {
  if (email === undefined || rest.length > 0) throw new Error('Usage: ./panel user enrol-2fa <email address>')
  const { otpauthUrl, recoveryCodes } = await withStore(env, (store) => enrolTwoFactor({ ...store, features }, email))
  const qr = await QRCode.toString(otpauthUrl, { type: 'utf8' })
  const codes = recoveryCodes.map((code) => `  ${code}`).join('\n')
  process.stdout.write(
    `Two-factor is on for ${email}. Add it to an authenticator app:\n\n${otpauthUrl}\n\n${qr}\n` +
      `Recovery codes (each works once). Save them now; they are not shown again:\n${codes}\n\n` +
      'All sessions of this account have ended.\n'
  )
}
