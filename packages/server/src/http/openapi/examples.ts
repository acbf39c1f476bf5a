import type { Schema } from './document.types.ts'

const id = 'V1StGXR8_Z5jdHi6B-myT'
const time = '2026-01-31T12:00:00.000Z'
const day = '2026-01-31'
const address = 'https://panel.example.com/'

/** Values by the names of members and parameters, where the schema alone would make something that says nothing. */
const byName: Readonly<Record<string, unknown>> = {
  action: 'project.created',
  address: 'ann@example.com',
  adminUrl: 'https://panel.example.com/adminer/?pgsql=db&username=u_shop_1f2e&db=shop',
  after: '0123456789abcdef0123456789abcdef01234567',
  branch: 'main',
  buildCmd: 'npm run build',
  buildLogs: '· Building\n· Deploying\n',
  certificate: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
  challengeToken: 'kq2v7b0mX3cN9sWd',
  code: '123456',
  codeOrRecovery: '123456',
  commitHash: '0123456789abcdef0123456789abcdef01234567',
  commitMsg: 'Say hello',
  commonName: 'example.com',
  confirmNewPassword: 'a longer secret',
  confirmPassword: 'correct horse battery',
  containerId: '4f66ad9c1b2e',
  containerStatus: 'running',
  content: 'text',
  currentPassword: 'correct horse battery',
  deployedDomain: 'shop.apps.example.com',
  domain: 'example.com',
  error: 'Something is not as it should be',
  email: 'ann@example.com',
  expectedNameservers: ['ns1.example.com', 'ns2.example.com'],
  extension: 'txt',
  from: 'notes.txt',
  gitUrl: 'https://github.com/owner/shop',
  host: 'db',
  hostKeys: ['SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDtYIEwuqmVfF4Gsqc'],
  hostUri: 'postgresql://u_shop_1f2e:********@127.0.0.1:5432/shop',
  hostname: 'example.com',
  internalUri: 'postgresql://u_shop_1f2e:********@db:5432/shop',
  ip: '192.0.2.1',
  issuer: "CN=R11, O=Let's Encrypt, C=US",
  key: 'NODE_ENV',
  latencyMs: 3,
  linuxUsername: 'sftp_ann',
  localPart: 'ann',
  logs: 'listening on 3000\n',
  manualKey: 'JBSWY3DPEHPK3PXP',
  message: 'Done',
  mode: '644',
  mtime: time,
  name: 'shop',
  newPassword: 'a longer secret',
  otpauthUrl: 'otpauth://totp/Panel:ann%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Panel',
  password: 'correct horse battery',
  path: 'notes.txt',
  pathPrefix: '/app',
  port: 3000,
  privateKey: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
  publicIp: '192.0.2.10',
  publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIqEiIO7PpWzN1Z0Qm3Xk0nPpoyVXrgcqQ2vpi3AWdYH ann@laptop',
  qrDataUrl: 'data:image/png;base64,iVBORw0KGgo=',
  recordName: '_panel-challenge.example.com',
  recordValue: 'panel-verification=panel-verify-0123456789abcdef0123456789abcdef',
  recoveryCodes: ['k3m9-x7qd', 'p2wv-8hzt'],
  ref: 'refs/heads/main',
  resolver: '9.9.9.9',
  search: 'shop',
  serialNumber: '03a1b2c3',
  serverVersion: 'PostgreSQL 17.2',
  sshPublicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIqEiIO7PpWzN1Z0Qm3Xk0nPpoyVXrgcqQ2vpi3AWdYH panel',
  service: 'postfix',
  stopReason: 'CONTAINER_DISK_LIMIT',
  startCmd: 'node server.js',
  targets: ['ann@example.com'],
  to: 'archive/notes.txt',
  token: 'panel_0123456789abcdef0123456789abcdef01234567',
  userAgent: 'curl/8.5.0',
  username: 'u_shop_1f2e',
  value: 'production',
  verificationToken: 'panel-verify-0123456789abcdef0123456789abcdef',
  version: '0.1.0',
  webhookSecret: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  webhookUrl: 'https://panel.example.com/api/webhooks/gitprovider?projectId=' + id
}

/** An example of what the schema describes: made of the members' names, and of what each may be at least. */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>, name = ''): unknown {
  const own = schema.$ref === undefined ? schema : { ...schemas[schema.$ref.split('/').at(-1)!], $ref: undefined }
  const named = byName[name]
  if (own.const !== undefined) return own.const
  if (own.enum) return own.enum[0]
  if (own.examples) return own.examples[0]
  if (named !== undefined && isOf(own, named)) return named
  const [first] = own.anyOf ?? own.oneOf ?? []
  if (first) return exampleOf(first, schemas, name)
  if (own.properties)
    return Object.fromEntries(
      Object.entries(own.properties).map(([member, value]) => [member, exampleOf(value, schemas, member)])
    )
  return plain(own, schemas, name)
}

function plain(schema: Schema, schemas: Readonly<Record<string, Schema>>, name: string): unknown {
  const type = [schema.type].flat()[0]
  if (schema.default !== undefined) return schema.default
  if (type === 'array') return schema.items ? [exampleOf(schema.items, schemas, name)] : []
  if (type === 'object') return {}
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'null') return null
  if (schema.format === 'date-time') return time
  if (schema.format === 'binary') return 'the bytes of the file'
  const texts = [...(/(^i|I)d$/.test(name) ? [id] : []), 'example', id, 'A'.repeat(43), address, day]
  return texts.find((text) => isOf(schema, text)) ?? 'example'
}

/** Whether a value is of this type, by its pattern too. */
function isOf({ type, pattern, anyOf, format, minLength = 0, maxLength = Infinity }: Schema, value: unknown): boolean {
  if (anyOf) return anyOf.some((each) => isOf(each, value))
  const types = [type].flat()
  if (typeof value === 'number') return types.includes('integer') || types.includes('number')
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value !== 'string' || !types.includes('string')) return false
  if (format === 'date-time' && value !== time) return false
  if (format === 'uri' && !URL.canParse(value)) return false
  return value.length >= minLength && value.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(value))
}
