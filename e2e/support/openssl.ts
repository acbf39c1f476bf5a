import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../packages/server/src/infra/process/run.ts'

interface OrderedCertificate {
  names: readonly string[]
  key?: 'ec' | 'rsa'
  /** Negative: already expired. */
  days?: number
}

export interface HandMade {
  leaf: string
  chain: string
  keyPem: string
}

/** A private CA as used by buyers of certificates: root and intermediate, made with openssl. */
export interface HandMadeAuthority {
  rootPem: string
  issue(ordered: OrderedCertificate): Promise<HandMade>
  encrypt(keyPem: string): Promise<string>
  close(): Promise<void>
}

const keyOptions = {
  ec: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  rsa: ['-newkey', 'rsa:2048']
} as const

export async function createHandMadeAuthority(parent = tmpdir()): Promise<HandMadeAuthority> {
  const directory = await mkdtemp(join(parent, 'panel-openssl-'))
  const path = (name: string) => join(directory, name)
  const openssl = (...args: string[]) => run(['openssl', ...args], { timeoutMs: 60_000 })
  const read = (name: string) => readFile(path(name), 'utf8')
  let made = 0

  const sign = async (name: string, by: string, extensions: string, days: number) => {
    await writeFile(path(`${name}.ext`), extensions)
    const signer = ['-CA', path(`${by}.pem`), '-CAkey', path(`${by}.key`), '-CAcreateserial']
    const given = ['-days', String(days), '-extfile', path(`${name}.ext`)]
    await openssl('x509', '-req', '-in', path(`${name}.csr`), ...signer, ...given, '-out', path(`${name}.pem`))
  }
  const request = (name: string, subject: string, key: 'ec' | 'rsa') =>
    openssl(
      'req',
      ...keyOptions[key],
      '-nodes',
      '-subj',
      subject,
      '-keyout',
      path(`${name}.key`),
      '-out',
      path(`${name}.csr`)
    )

  const root = ['-keyout', path('root.key'), '-out', path('root.pem')]
  await openssl('req', '-x509', ...keyOptions.ec, '-nodes', '-days', '30', '-subj', '/CN=Hand-made root', ...root)
  await request('middle', '/CN=Hand-made intermediate', 'ec')
  await sign('middle', 'root', 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n', 20)

  return {
    rootPem: await read('root.pem'),
    async issue({ names, key = 'ec', days = 10 }) {
      const name = `leaf-${++made}`
      await request(name, `/CN=${names[0]}`, key)
      const alternatives = names.map((one) => `DNS:${one}`).join(',')
      await sign(name, 'middle', `subjectAltName=${alternatives}\nextendedKeyUsage=serverAuth\n`, days)
      const leaf = await read(`${name}.pem`)
      return { leaf, chain: leaf + (await read('middle.pem')), keyPem: await read(`${name}.key`) }
    },
    async encrypt(keyPem) {
      await writeFile(path('plain.key'), keyPem)
      const password = ['-passout', 'pass:a password']
      await openssl('pkcs8', '-topk8', '-in', path('plain.key'), ...password, '-out', path('encrypted.key'))
      return read('encrypted.key')
    },
    close: () => rm(directory, { recursive: true, force: true })
  }
}
