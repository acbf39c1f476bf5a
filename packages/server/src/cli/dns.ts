import { dnsTransferKey } from '../security/program-secrets.ts'
import { publicIpOf } from '../features/domains/public-ip.service.ts'
import { debianSecondary, renderKnotSecondary } from '../infra/dns-server/knot-secondary.render.ts'
import { type CommandContext, step } from './command.ts'
import { withStore } from './store.ts'

/** `./panel dns secondary`: prints the whole configuration of a second name server, with the key in it. */
export async function dns({ args, env }: CommandContext): Promise<void> {
  if (args.length !== 1 || args[0] !== 'secondary') throw new Error('Usage: ./panel dns secondary')
  const text = await withStore(env, async (store) => {
    const { config } = store
    const address = publicIpOf(config)
    if (address.startsWith('127.')) throw new Error('Set PUBLIC_IP: the second name server asks this one there')
    if (config.DNS_SECONDARIES.length === 0)
      step('Secondaries are not notified yet: add the address of the second name server to the setting DNS_SECONDARIES')
    const transferKey = await dnsTransferKey(store)
    return renderKnotSecondary({ ...debianSecondary, primary: { address, port: config.DNS_PORT }, transferKey })
  })
  process.stdout.write(`${instructions}\n${text}`)
}

const instructions = `# SECRET: this holds the key with which all zones can be fetched. Keep it out of logs, tickets and repositories.
#
# The second name server: Knot DNS 3.2 or newer on a machine of its own (Debian: apt-get install knot).
#
# There: save this as /etc/knot/knot.conf, for nobody but root and the server (root:knot, 0640):
#   chown root:knot /etc/knot/knot.conf && chmod 0640 /etc/knot/knot.conf
#   knotc conf-check && systemctl restart knot && knotc zone-refresh
# Here: set DNS_SECONDARIES to the address of that machine (address@port where the port is not 53) and start the panel again.
#
# Every start of that server needs "knotc zone-refresh" after it: by itself it asks only some minutes later for what changed while it
# was away. With systemd, by "systemctl edit knot":
#   [Service]
#   ExecStartPost=/usr/sbin/knotc zone-refresh
`
