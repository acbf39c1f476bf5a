import { dnsTransferKey } from '../security/program-secrets.ts'
import { publicIpOf } from '../features/domains/public-ip.service.ts'
import { debianSecondary, renderKnotSecondary } from '../infra/dns-server/knot-secondary.render.ts'
import { type CommandContext, step } from './command.ts'
import { withStore } from './store.ts'

/** `./panel dns secondary`: prints the complete configuration of a secondary name server, including its TSIG key. */
export async function dns({ args, env }: CommandContext): Promise<void> {
  if (args.length !== 1 || args[0] !== 'secondary') throw new Error('Usage: ./panel dns secondary')
  const text = await withStore(env, async (store) => {
    const { config } = store
    const address = publicIpOf(config)
    if (address.startsWith('127.')) throw new Error('Set PUBLIC_IP: the secondary name server connects to this address')
    if (config.DNS_SECONDARIES.length === 0)
      step('Set DNS_SECONDARIES to the address of the secondary name server, so that it is notified of changes')
    const transferKey = await dnsTransferKey(store)
    return renderKnotSecondary({ ...debianSecondary, primary: { address, port: config.DNS_PORT }, transferKey })
  })
  process.stdout.write(`${instructions}\n${text}`)
}

const instructions = `# SECRET: this contains the key for transferring all zones. Keep it out of logs, tickets and repositories.
#
# Secondary name server: Knot DNS 3.2 or newer on a separate machine (Debian: apt-get install knot).
#
# There: save this as /etc/knot/knot.conf, readable only by root and the server (root:knot, 0640):
#   chown root:knot /etc/knot/knot.conf && chmod 0640 /etc/knot/knot.conf
#   knotc conf-check && systemctl restart knot && knotc zone-refresh
# Here: set DNS_SECONDARIES to the address of that machine (address@port if the port is not 53) and restart the panel.
#
# Run "knotc zone-refresh" after every start of that server; otherwise it takes minutes until it fetches changes made while it
# was down. With systemd, use "systemctl edit knot":
#   [Service]
#   ExecStartPost=/usr/sbin/knotc zone-refresh
`
