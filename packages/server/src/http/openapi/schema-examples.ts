import { id, time } from './member-examples.ts'

export const bodyExamples: Readonly<Record<string, object>> = {
  ChangeChannel: { name: 'Operations', isEnabled: false },
  ChangePermissions: { permissions: ['canManageDns', 'canCreateSubAccounts'] },
  AnswerDeviceLogin: { userCode: 'BCDF-GHJK', approve: true },
  ChangeQuotas: { maxProjects: 20, maxDiskMb: 20_480, oversellingEnabled: false },
  ChangeRole: { role: 'RESELLER' },
  ChangeSettings: { timezone: 'Europe/Berlin' },
  CreateApiToken: { name: 'CI', scope: 'deploy', expiresInDays: 90, password: 'correct horse battery' },
  CreateChannel: { type: 'WEBHOOK', name: 'Operations', url: 'https://hooks.example.com/panel' },
  FindDeviceLogin: { userCode: 'BCDF-GHJK' },
  SetRegistry: { host: 'ghcr.io', username: 'ann', secret: 'token of the registry' },
  TakeDeviceToken: { deviceCode: '0123456789abcdef0123456789abcdef01234567abc' },
  StartDeviceLogin: { name: 'panel on laptop', scope: 'full' },
  CreateDatabase: { name: 'shop', type: 'POSTGRESQL', projectId: id, autoInjectEnv: true },
  CreateDnsRecord: { type: 'A', name: 'www', value: '192.0.2.10', ttl: 3600 },
  CreateDomain: { hostname: 'shop.example.com', projectId: id },
  CreateMailAlias: { domainId: id, localPart: 'info', targets: ['ann@example.com', 'bob@example.net'] },
  CreateProject: { name: 'shop', type: 'NODEJS', gitUrl: 'https://github.com/owner/shop', branch: 'main' },
  CreateUptimeCheck: { name: 'Shop', hostname: 'shop.example.com', path: '/health', expectedStatus: '200-299' },
  CreateUser: {
    ...{ name: 'Bob', email: 'bob@example.com', password: 'correct horse battery', role: 'USER' },
    ...{ maxProjects: 10, maxDomains: 10, maxDatabases: 10, maxMailboxes: 20, maxSubAccounts: 0, maxDiskMb: 10_240 }
  },
  ExtractArchive: { path: 'site.zip', to: 'public' },
  GitInspect: { gitUrl: 'https://github.com/owner/shop', branch: 'main' },
  ImportEnv: { content: 'NODE_ENV=production\nLOG_LEVEL=info\n', overwrite: true },
  ImportZone: { zoneContent: 'www 3600 IN A 192.0.2.10\n', strategy: 'skip', dryRun: true },
  PathBody: { path: 'public/old' },
  Register: {
    ...{ name: 'Ann', email: 'ann@example.com' },
    ...{ password: 'correct horse battery', confirmPassword: 'correct horse battery' }
  },
  ReplaceFile: { path: 'notes.txt', content: 'text' },
  UpdateDnsRecord: { value: '192.0.2.20', ttl: 300 },
  UpdateDomain: { projectId: id, pathPrefix: '/app' },
  UpdateMailbox: { quota: 2048, enabled: true },
  UpdateProject: { branch: 'next', buildCmd: 'npm run build', port: 3000 },
  UpdateUptimeCheck: { intervalMinutes: 1, expectedStatus: '200-299', paused: false },
  UpdateUser: { name: 'Ann' }
}

export const answerMembers: Readonly<Record<string, object>> = {
  Certificate: { status: 'ACTIVE', errorMessage: null, validTo: '2026-05-01T12:00:00.000Z' },
  CertificateAlert: { status: 'EXPIRING_SOON', reason: 'EXPIRING_SOON', daysLeft: 6 },
  DeployRules: { automatic: true, branch: true, tagPattern: 'v*', watchPaths: ['apps/web/**'], skipMarkers: true },
  Deployment: { status: 'RUNNING', failure: null, trigger: 'WEBHOOK' },
  DetectedRecord: { values: ['panel-verification=panel-verify-0123456789abcdef0123456789abcdef'], error: null },
  DnsRecord: { ...{ type: 'A', name: 'www', value: '192.0.2.10', ttl: 3600 }, priority: null, weight: null, port: null, managedBy: null }, // oxfmt-ignore
  Domain: { status: 'ACTIVE', isWildcard: false, parentId: null, pathPrefix: null, dnsMode: 'MANAGED' },
  MailboxImport: { status: 'RUNNING', reason: null, endedAt: null },
  NotificationDelivery: { status: 'SENT', isTest: false, lastError: null, responseCode: 200 },
  Project: { readOnlyRoot: false, internalPort: 3000, stopReason: null },
  UptimeCheck: {
    state: 'UP',
    paused: false,
    pausedBecause: null,
    lastStatus: 200,
    lastReason: null,
    endedAt: undefined
  },
  RuntimeVersion: { name: 'Node.js', version: '24', source: 'FILE', file: 'package.json', wanted: '>=24' },
  User: { name: 'Ann', role: 'USER', suspended: false, oversellingEnabled: false, parentId: null },
  VerifyResult: { status: 'ACTIVE' },
  WordpressImport: { status: 'SUCCEEDED', step: 'DONE', errorCode: null, errorMessage: null, updatedAt: time }
}
