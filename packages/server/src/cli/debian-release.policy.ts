import type { Finding } from '../programs/finding.ts'

/** Releases that the tests run on, the default first. */
const supported = ['13', '12']

/** Row of `./panel doctor` from the text of /etc/os-release. */
export function systemFinding(osRelease: string): Finding {
  const value = (name: string) => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(osRelease)?.[1] ?? ''
  const [id, version] = [value('ID'), value('VERSION_ID')]
  const part = 'System'
  if (id !== 'debian')
    return { part, found: true, version: value('NAME'), advice: `Only Debian ${supported.join(' and ')} are supported` }
  const advice = supported.includes(version) ? {} : { advice: `Supported: Debian ${supported.join(' and ')}` }
  return { part, found: true, version: `Debian ${version || 'testing'}`, ...advice }
}
