import { converse } from './greeting.ts'
import type { MailPaths } from './mail-paths.ts'

const timeoutMs = 2_000

/** Probes Dovecot's auth listener, which the other services depend on. Such a connection is not logged. */
export async function probeDovecot(authPort: number, ms = timeoutMs): Promise<void> {
  const say = `VERSION\t1\t2\nCPID\t${process.pid}\n`
  const [answer = ''] = await converse({ host: '127.0.0.1', port: authPort }, ms, [{ say, until: /^DONE\n/m }])
  if (!/^MECH\tPLAIN\t/m.test(answer)) throw new Error('password authentication is not offered')
}

/** Probes a Postfix service over its socket. A connection to a port would add two lines to the mail log. */
export async function probePostfix({ postfix }: Pick<MailPaths, 'postfix'>, ms = timeoutMs): Promise<void> {
  await converse({ path: `${postfix.queue}/private/rewrite` }, ms, [{ until: /rewrite|resolve/ }])
}

/** SMFIC_OPTNEG of the milter protocol: length, `O`, version 6, actions, protocol flags. */
const milterOffer = Buffer.from('0000000d4f00000006000001ff001fffff', 'hex')

export async function probeOpendkim({ dkim }: Pick<MailPaths, 'dkim'>, ms = timeoutMs): Promise<void> {
  await converse({ path: dkim.socket }, ms, [{ say: milterOffer, until: /^\0\0\0[\s\S]O/ }])
}

/** Queries a text that is not an SRS address: the response is an error, and nothing is logged. */
export async function probePostsrsd(reversePort: number, ms = timeoutMs): Promise<void> {
  await converse({ host: '127.0.0.1', port: reversePort }, ms, [{ say: 'get probe\n', until: /^500 .*\n/ }])
}
