import { converse } from '../mail-server/greeting.ts'
import type { MailPaths } from '../mail-server/mail-paths.ts'

const timeoutMs = 2_000

/** SMFIC_OPTNEG of the milter protocol: length, `O`, version 6, actions, protocol flags. */
const milterOffer = Buffer.from('0000000d4f00000006000001ff001fffff', 'hex')

/** Probes both proxies, incoming and outgoing: each is a process. */
export async function probeRspamd({ filter }: Pick<MailPaths, 'filter'>, ms = timeoutMs): Promise<void> {
  const steps = [{ say: milterOffer, until: /^\0\0\0[\s\S]O/ }]
  await Promise.all([filter.incoming, filter.outgoing].map((path) => converse({ path }, ms, steps)))
}

export async function probeFilterStore({ filterStore }: Pick<MailPaths, 'filterStore'>, ms = timeoutMs): Promise<void> {
  await converse({ path: filterStore.socket }, ms, [{ say: 'PING\r\n', until: /^\+PONG/ }])
}
