import { converse } from '../mail-server/greeting.ts'
import type { MailPaths } from '../mail-server/mail-paths.ts'

const timeoutMs = 2_000

/** An offer of the milter protocol, version 6: length, `O`, version, what is done, what is left out. */
const milterOffer = Buffer.from('0000000d4f00000006000001ff001fffff', 'hex')

/** Whether both ways of mail are served: each is a process of its own. */
export async function probeRspamd({ filter }: Pick<MailPaths, 'filter'>, ms = timeoutMs): Promise<void> {
  const steps = [{ say: milterOffer, until: /^\0\0\0[\s\S]O/ }]
  await Promise.all([filter.incoming, filter.outgoing].map((path) => converse({ path }, ms, steps)))
}

/** What the filter remembers with. */
export async function probeFilterStore({ filterStore }: Pick<MailPaths, 'filterStore'>, ms = timeoutMs): Promise<void> {
  await converse({ path: filterStore.socket }, ms, [{ say: 'PING\r\n', until: /^\+PONG/ }])
}
