import { converse } from './greeting.ts'
import type { MailPaths } from './mail-paths.ts'

const timeoutMs = 2_000

/** Dovecot's listener for passwords, which its other parts ask too. A question there is not in its log. */
export async function probeDovecot(authPort: number, ms = timeoutMs): Promise<void> {
  const say = `VERSION\t1\t2\nCPID\t${process.pid}\n`
  const [answer = ''] = await converse({ host: '127.0.0.1', port: authPort }, ms, [{ say, until: /^DONE\n/m }])
  if (!/^MECH\tPLAIN\t/m.test(answer)) throw new Error('it takes no passwords')
}

/** A part of Postfix that is started when it is asked for. At its ports each question would be two lines in the log of deliveries. */
export async function probePostfix({ postfix }: Pick<MailPaths, 'postfix'>, ms = timeoutMs): Promise<void> {
  await converse({ path: `${postfix.queue}/private/rewrite` }, ms, [{ until: /rewrite|resolve/ }])
}

/** An offer of the milter protocol, version 6: length, `O`, version, what is done, what is left out. */
const milterOffer = Buffer.from('0000000d4f00000006000001ff001fffff', 'hex')

export async function probeOpendkim({ dkim }: Pick<MailPaths, 'dkim'>, ms = timeoutMs): Promise<void> {
  await converse({ path: dkim.socket }, ms, [{ say: milterOffer, until: /^\0\0\0[\s\S]O/ }])
}

/** A question that is no SRS address: the answer is no, and nothing of it is logged. */
export async function probePostsrsd(reversePort: number, ms = timeoutMs): Promise<void> {
  await converse({ host: '127.0.0.1', port: reversePort }, ms, [{ say: 'get probe\n', until: /^500 .*\n/ }])
}
