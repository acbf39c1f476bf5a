import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfExists } from '../disk/read-if-exists.ts'
import type { Run } from '../process/process.ts'
import { createNft } from './nft.ts'

interface FirewallFindings {
  /** `off`: there are no rules. `missing`: the rules are not loaded. */
  state: 'off' | 'loaded' | 'trial' | 'missing'
  /** Chains of other tools that drop connections to the server by default. A packet passes only if every table accepts it. */
  others: string[]
}

const listing = z.object({
  nftables: z.array(
    z.object({
      chain: z
        .object({
          family: z.string(),
          table: z.string(),
          name: z.string(),
          hook: z.string().optional(),
          policy: z.string().optional()
        })
        .optional()
    })
  )
})
type Chain = NonNullable<z.infer<typeof listing>['nftables'][number]['chain']>

/** Compares the loaded rules with the files, without the store. Rejects with AdapterError `firewall-unavailable`. */
export async function inspectServerFirewall({
  directory,
  run
}: {
  directory: string
  run: Run
}): Promise<FirewallFindings> {
  const { nftables } = listing.parse(JSON.parse(await createNft(run)(['--json', 'list', 'chains'])))
  const chains = nftables.flatMap(({ chain }) => chain ?? [])
  const isLoaded = (name: string | undefined) => name !== undefined && chains.some((chain) => chain.name === name)
  const confirmed = chainIn(await readIfExists(join(directory, 'confirmed.nft')))
  const trials = await Promise.all((await trialFiles(directory)).map((file) => readIfExists(join(directory, file))))
  const others = chains.filter(isBlocking).map(({ family, table, name }) => `${family} ${table} ${name}`)
  if (trials.some((text) => isLoaded(chainIn(text)))) return { state: 'trial', others }
  if (confirmed === undefined) return { state: 'off', others }
  return { state: isLoaded(confirmed) ? 'loaded' : 'missing', others }
}

/** Its name identifies the ruleset (server-ruleset.render.ts). */
const chainIn = (text = ''): string | undefined => /^ {2}chain (ruleset_[0-9a-f]{16}) \{$/m.exec(text)?.[1]

const isBlocking = ({ table, hook, policy }: Chain): boolean =>
  !table.startsWith('panel_') && policy === 'drop' && (hook === 'input' || hook === 'prerouting')

async function trialFiles(directory: string): Promise<string[]> {
  const files = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] // The firewall was never on.
    throw error
  })
  return files.filter((file) => file.startsWith('trial-'))
}
