import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { permissions } from '@panel/contract/users'
import { users } from '../src/db/schema/users.ts'
import type { RoutePolicy } from '../src/http/access.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

/**
 * Access of every route: `none` (public), `session`, else sufficient roles and permissions; then the API token scope
 * (`–`: none). A route missing here fails the test.
 */
const table = `
POST   /api/auth/register                                none     –
POST   /api/auth/login                                   none     –
POST   /api/auth/forgot-password                         none     –
POST   /api/auth/reset-password                          none     –
GET    /api/auth/config                                  none     –
POST   /api/auth/2fa/challenge                           none     –
GET    /api/health                                       none     –
GET    /api/system/explain                               session  read
GET    /api/openapi.json                                 none     –
POST   /api/webhooks/gitprovider                         none     –
POST   /api/webhooks/gitprovider/:projectId              none     –
POST   /api/webhooks/deploy/:projectId                   none     –
GET    /api/auth/me                                      session  read
POST   /api/auth/change-password                         session  –
POST   /api/auth/confirm                                 session  –
POST   /api/auth/2fa/setup                               session  –
POST   /api/auth/2fa/verify-setup                        session  –
POST   /api/auth/2fa/disable                             session  –
POST   /api/auth/2fa/recovery-codes                      session  –
GET    /api/auth/sessions                                session  –
DELETE /api/auth/sessions                                session  –
DELETE /api/auth/sessions/:id                            session  –
POST   /api/auth/session/move                            session  –
POST   /api/auth/session/take                            none     –
GET    /api/auth/tokens                                  session  –
POST   /api/auth/tokens                                  session  –
DELETE /api/auth/tokens/:id                              session  –
POST   /api/auth/device                                  none     –
POST   /api/auth/device/find                             session  –
POST   /api/auth/device/answer                           session  –
POST   /api/auth/device/token                            none     –
GET    /api/projects/:id/terminal                        session  full
GET    /api/notifications                                session  read
PATCH  /api/notifications/:id                            session  full
GET    /api/notifications/channels                       session  read
POST   /api/notifications/channels                       session  full
PATCH  /api/notifications/channels/:id                   session  full
PUT    /api/notifications/channels/:id                   session  full
DELETE /api/notifications/channels/:id                   session  full
POST   /api/notifications/channels/:id/test              session  full
GET    /api/notifications/preferences                    session  read
PUT    /api/notifications/preferences                    session  full
GET    /api/notifications/deliveries                     session  read
POST   /api/notifications/read-all                       session  full
GET    /api/overview                                     session  read
GET    /api/search                                       session  read
GET    /api/audit/me                                     session  read
GET    /api/audit                                        ADMIN    read
GET    /api/audit/verify                                 ADMIN    read
GET    /api/users                                        session  read
POST   /api/users                                        ADMIN,RESELLER,canCreateSubAccounts full
PATCH  /api/users/me                                     session  full
GET    /api/users/me/usage                               session  read
GET    /api/users/me/disk                                session  read
GET    /api/users/:id/disk                               session  read
GET    /api/users/:id                                    session  read
GET    /api/users/:id/usage                              session  read
PATCH  /api/users/:id                                    session  full
DELETE /api/users/:id                                    session  full
POST   /api/users/:id/suspend                            session  full
POST   /api/users/:id/resume                             session  full
PATCH  /api/users/:id/role                               ADMIN    full
PATCH  /api/users/:id/quotas                             ADMIN,RESELLER full
PATCH  /api/users/:id/permissions                        ADMIN    full
POST   /api/users/:id/2fa/reset                          ADMIN    –
DELETE /api/users/:id/sessions                           ADMIN    –
GET    /api/projects                                     session  read
POST   /api/projects                                     session  full
GET    /api/projects/:id                                 session  read
PUT    /api/projects/:id                                 session  full
DELETE /api/projects/:id                                 session  full
GET    /api/projects/:id/git                             session  read
GET    /api/projects/:id/detection                       session  read
POST   /api/git/inspect                                  session  full
POST   /api/projects/:id/git/connect                     session  full
POST   /api/projects/:id/git/ssh-key                     session  full
POST   /api/projects/:id/git/webhook-secret/rotate       session  full
GET    /api/projects/:id/wordpress/export                session  full
POST   /api/projects/:id/wordpress/import                session  full
GET    /api/projects/:id/wordpress/import                session  read
GET    /api/projects/:id/wordpress/imports/:importId     session  read
GET    /api/projects/:id/wordpress/page-cache            session  read
DELETE /api/projects/:id/wordpress/page-cache            session  full
GET    /api/projects/:id/wordpress                       session  read
PUT    /api/projects/:id/wordpress/settings              session  full
GET    /api/projects/:id/wordpress/debug-log             session  full
POST   /api/projects/:id/wordpress/updates               session  full
POST   /api/projects/:id/wordpress/replacements          session  full
POST   /api/projects/:id/wordpress/copies                session  full
POST   /api/projects/:id/wordpress/staging               session  full
GET    /api/projects/:id/wordpress/staging               session  full
GET    /api/projects/:id/wordpress/tasks                 session  read
GET    /api/projects/:id/wordpress/tasks/:taskId         session  read
POST   /api/projects/:id/wordpress/tasks/:taskId/undo    session  full
POST   /api/projects/:id/wordpress/sign-in               session  full
POST   /api/projects/:id/wordpress/users/:login/password session  full
GET    /api/projects/:id/wordpress/core-changes          session  read
GET    /api/monitoring/server                            ADMIN    read
GET    /api/monitoring/containers                        session  read
GET    /api/monitoring/figures                           ADMIN    read
GET    /api/monitoring/history                           ADMIN    read
GET    /api/projects/:id/metrics                         session  read
GET    /api/users/:id/disk-usage/history                 session  read
GET    /api/projects/:id/env                             session  read
POST   /api/projects/:id/env                             session  full
GET    /api/projects/:id/env/:key/reveal                 session  full
POST   /api/projects/:id/env/import                      session  full
GET    /api/projects/:id/env/export                      session  full
DELETE /api/projects/:id/env/:key                        session  full
POST   /api/projects/:id/env/preview                     session  full
GET    /api/projects/:id/git/commit-status               session  read
PUT    /api/projects/:id/git/commit-status               session  full
DELETE /api/projects/:id/git/commit-status               session  full
GET    /api/projects/:id/env-groups                      session  read
PUT    /api/projects/:id/env-groups                      session  full
GET    /api/registries                                   session  read
PUT    /api/registries                                   session  full
DELETE /api/registries/:id                               session  full
GET    /api/projects/:id/image-update                    session  read
POST   /api/projects/:id/image-update                    session  full
GET    /api/env-groups                                   session  read
POST   /api/env-groups                                   session  full
DELETE /api/env-groups/:id                               session  full
GET    /api/env-groups/:id/env                           session  read
POST   /api/env-groups/:id/env                           session  full
GET    /api/env-groups/:id/env/:key/reveal               session  full
POST   /api/env-groups/:id/env/preview                   session  full
POST   /api/env-groups/:id/env/import                    session  full
GET    /api/env-groups/:id/env/export                    session  full
DELETE /api/env-groups/:id/env/:key                      session  full
POST   /api/projects/:id/build                           session  deploy
POST   /api/projects/:id/uploads                         session  full
POST   /api/projects/:id/deploy                          session  deploy
GET    /api/projects/:id/webhook-deliveries              session  read
POST   /api/projects/:id/webhook-deliveries/:deliveryId/replay session deploy
GET    /api/projects/:id/git/deploy-hook                 session  read
POST   /api/projects/:id/git/deploy-hook                 session  full
DELETE /api/projects/:id/git/deploy-hook                 session  full
GET    /api/projects/:id/deployments                     session  read
GET    /api/projects/:id/deployments/:deploymentId       session  read
GET    /api/projects/:id/deployments/:deploymentId/log   session  read
GET    /api/projects/:id/deployments/:deploymentId/changes session deploy
POST   /api/projects/:id/deployments/:deploymentId/cancel   session deploy
POST   /api/projects/:id/deployments/:deploymentId/rollback session deploy
POST   /api/projects/:id/container/:action               session  deploy
POST   /api/projects/:id/sleep                           session  deploy
GET    /api/projects/:id/container/status                session  read
GET    /api/projects/:id/logs                            session  read
GET    /api/projects/:id/traffic                         session  read
GET    /api/domains                                      session  read
POST   /api/domains                                      session  full
GET    /api/domains/:id                                  session  read
PATCH  /api/domains/:id                                  session  full
DELETE /api/domains/:id                                  session  full
GET    /api/domains/:id/subdomains                       session  read
GET    /api/domains/:id/rules                            session  read
PUT    /api/domains/:id/rules                            session  full
GET    /api/domains/:id/rules/test                       session  read
POST   /api/domains/:id/verify                           session  full
PATCH  /api/domains/:id/dns-mode                         session  full
POST   /api/domains/:id/dns-mode/check                   session  full
GET    /api/domains/ssl/alerts                           session  read
GET    /api/domains/:id/ssl                              session  read
DELETE /api/domains/:id/ssl                              session  full
POST   /api/domains/:id/ssl/provision                    session  full
POST   /api/domains/:id/ssl/upload                       session  full
POST   /api/domains/:id/ssl/renew                        session  full
PATCH  /api/domains/:id/ssl/settings                     session  full
GET    /.well-known/acme-challenge/:token                none     –
GET    /api/domains/:id/dns                              session  read
POST   /api/domains/:id/dns                              session  full
GET    /api/domains/:id/dns/defaults                     session  read
POST   /api/domains/:id/dns/defaults                     session  full
PATCH  /api/domains/:id/dns/:recordId                    session  full
DELETE /api/domains/:id/dns/:recordId                    session  full
GET    /api/domains/:id/dns/export                       session  read
POST   /api/domains/:id/dns/import                       session  full
POST   /api/domains/:id/dns/:recordId/propagation        session  full
GET    /api/domains/:id/dnssec                           session  read
PUT    /api/domains/:id/dnssec                           session  full
GET    /api/files/:id/list                      session  read
GET    /api/files/:id/read                      session  full
GET    /api/files/:id/download                  session  full
GET    /api/files/:id/archive                   session  full
GET    /api/files/:id/search                    session  read
POST   /api/files/:id/create                    session  full
POST   /api/files/:id/write                     session  full
POST   /api/files/:id/mkdir                     session  full
POST   /api/files/:id/rename                    session  full
POST   /api/files/:id/move                      session  full
POST   /api/files/:id/copy                      session  full
POST   /api/files/:id/chmod                     session  full
POST   /api/files/:id/extract                   session  full
POST   /api/files/:id/upload                    session  full
DELETE /api/files/:id/delete                    session  full
GET    /api/system/dns-info                              ADMIN,canManageDns read
POST   /api/system/dns-info/verify                       ADMIN,canManageDns full
GET    /api/system/addresses                             ADMIN    read
GET    /api/system/settings                              session  read
PUT    /api/system/settings                              ADMIN    full
GET    /api/machines                                     ADMIN    read
GET    /api/machine-key                                  ADMIN    read
POST   /api/machines                                     ADMIN    full
GET    /api/machines/:id                                 ADMIN    read
PATCH  /api/machines/:id                                 ADMIN    full
POST   /api/machines/:id/check                           ADMIN    full
POST   /api/machine-joins                                ADMIN    full
POST   /api/machine-joins/use                            none     –
POST   /api/machines/:id/drain                           ADMIN    full
POST   /api/machines/:id/sites                           ADMIN    full
POST   /api/machines/:id/upgrade                         ADMIN    full
DELETE /api/machines/:id                                 ADMIN    full
GET    /api/system/disk                                  ADMIN    read
POST   /api/system/disk/measure                          ADMIN    full
GET    /api/system/disk/cleanup                          ADMIN    read
POST   /api/system/disk/cleanup                          ADMIN    full
GET    /api/system/version                               ADMIN    read
POST   /api/system/upgrade                               ADMIN    full
GET    /api/databases                                    session  read
POST   /api/databases                                    session  full
GET    /api/databases/:id                                session  read
PATCH  /api/databases/:id                                session  full
DELETE /api/databases/:id                                session  full
POST   /api/databases/:id/test                           session  full
POST   /api/databases/:id/rotate-password                session  full
GET    /api/backups                                      ADMIN,canManageBackups read
POST   /api/backups                                      ADMIN,canManageBackups full
GET    /api/backups/targets                              ADMIN,canManageBackups read
POST   /api/backups/targets                              ADMIN,canManageBackups full
DELETE /api/backups/targets/:id                          ADMIN,canManageBackups full
POST   /api/backups/targets/:id/confirm                  ADMIN,canManageBackups full
GET    /api/backups/drills                               ADMIN,canManageBackups read
POST   /api/backups/drills                               ADMIN,canManageBackups full
GET    /api/backups/account-restores                     ADMIN    read
POST   /api/backups/account-restores                     ADMIN    full
GET    /api/backups/account-restores/:id                 ADMIN    read
POST   /api/backups/account-restores/:id/start           ADMIN    full
POST   /api/backups/account-restores/:id/undo            ADMIN    full
POST   /api/backups/account-restores/:id/keep            ADMIN    full
GET    /api/backups/schedule                             ADMIN,canManageBackups read
PUT    /api/backups/schedule                             ADMIN,canManageBackups full
GET    /api/projects/:id/backups                         session  read
POST   /api/projects/:id/backups                         session  full
GET    /api/projects/:id/backups/:backupId               session  read
GET    /api/projects/:id/backups/:backupId/files         session  read
POST   /api/projects/:id/backups/:backupId/restore       session  full
GET    /api/projects/:id/restores                        session  read
POST   /api/projects/:id/restores/:restoreId/undo        session  full
GET    /api/projects/:id/backup-drills                  session  read
GET    /api/projects/:id/backup-settings                 session  read
PUT    /api/projects/:id/backup-settings                 session  full
GET    /api/projects/:id/scheduled-jobs                  session  read
POST   /api/projects/:id/scheduled-jobs                  session  full
GET    /api/projects/:id/scheduled-jobs/:jobId           session  read
PATCH  /api/projects/:id/scheduled-jobs/:jobId           session  full
DELETE /api/projects/:id/scheduled-jobs/:jobId           session  full
POST   /api/projects/:id/scheduled-jobs/:jobId/run       session  full
GET    /api/projects/:id/processes                       session  read
POST   /api/projects/:id/processes                       session  full
PATCH  /api/projects/:id/processes/:name                 session  deploy
POST   /api/projects/:id/processes/:name/restart         session  deploy
DELETE /api/projects/:id/processes/:name                 session  full
GET    /api/projects/:id/tcp-ports                       session  read
POST   /api/projects/:id/tcp-ports                       session  full
DELETE /api/projects/:id/tcp-ports/:portId               session  full
GET    /api/projects/:id/volumes                         session  read
POST   /api/projects/:id/volumes                         session  full
PATCH  /api/projects/:id/volumes/:name                   session  full
DELETE /api/projects/:id/volumes/:name                   session  full
GET    /api/projects/:id/runs                            session  read
POST   /api/projects/:id/runs                            session  full
GET    /api/projects/:id/runs/:runId                     session  read
GET    /api/projects/:id/runs/:runId/output              session  read
POST   /api/projects/:id/runs/:runId/stop                session  full
GET    /api/projects/:id/uptime-checks                   session  read
POST   /api/projects/:id/uptime-checks                   session  full
GET    /api/projects/:id/uptime-checks/:checkId          session  read
PATCH  /api/projects/:id/uptime-checks/:checkId          session  full
DELETE /api/projects/:id/uptime-checks/:checkId          session  full
GET    /api/projects/:id/uptime-checks/:checkId/results  session  read
GET    /api/projects/:id/uptime-checks/:checkId/incidents session  read
POST   /api/projects/:id/uptime-checks/:checkId/run      session  full
GET    /api/projects/:id/status-page                     session  read
PUT    /api/projects/:id/status-page                     session  full
GET    /api/status/:slug                                 none     –
GET    /status/:slug                                     none     –
GET    /api/sftp                                         session  read
POST   /api/sftp/provision                               session  full
GET    /api/sftp/credentials                             session  full
POST   /api/sftp/rotate-password                         session  full
POST   /api/sftp/add-ssh-key                             session  full
POST   /api/sftp/remove-ssh-key                          session  full
DELETE /api/sftp/disable                                 session  full
POST   /api/sftp/enable                                  session  full
GET    /api/mailboxes                                    session  read
POST   /api/mailboxes                                    session  full
GET    /api/mail/deleted-mailboxes                       session  read
DELETE /api/mail/deleted-mailboxes/:id                   session  full
POST   /api/mail/deleted-mailboxes/:id/restore           session  full
GET    /api/mailboxes/:id                                session  read
PATCH  /api/mailboxes/:id                                session  full
DELETE /api/mailboxes/:id                                session  full
GET    /api/mailboxes/:id/export                         session  full
GET    /api/mailboxes/:id/imports                        session  read
POST   /api/mailboxes/:id/imports                        session  full
GET    /api/mailboxes/:id/imports/:importId              session  read
POST   /api/mailboxes/:id/imports/:importId/cancel       session  full
GET    /api/mailboxes/:id/backups                        session  read
POST   /api/mailboxes/:id/backups/:backupId/restore      session  full
GET    /api/mailboxes/:id/restores                       session  read
POST   /api/mailboxes/:id/restores/:restoreId/undo       session  full
GET    /api/mail/deleted-mailboxes/:id/export            session  full
GET    /api/mailboxes/:id/autoreply                      session  read
PUT    /api/mailboxes/:id/autoreply                      session  full
DELETE /api/mailboxes/:id/autoreply                      session  full
GET    /api/mailboxes/:id/client-settings                session  read
GET    /api/mailboxes/:id/webmail                        session  read
GET    /api/mailboxes/:id/apple-profile                  session  read
GET    /mail/config-v1.1.xml                             none     –
GET    /.well-known/autoconfig/mail/config-v1.1.xml      none     –
POST   /autodiscover/autodiscover.xml                    none     –
GET    /autodiscover/autodiscover.json                   none     –
GET    /autodiscover/autodiscover.json/v1.0/:address     none     –
GET    /api/mail/aliases                                 session  read
POST   /api/mail/aliases                                 session  full
GET    /api/mail/aliases/:id                             session  read
PATCH  /api/mail/aliases/:id                             session  full
DELETE /api/mail/aliases/:id                             session  full
GET    /api/mail/queue                                   ADMIN    read
POST   /api/mail/queue/flush                             ADMIN    full
POST   /api/mail/queue/:queueId/delete                   ADMIN    full
POST   /api/mail/queue/:queueId/flush                    ADMIN    full
POST   /api/mail/queue/:queueId/hold                     ADMIN    full
POST   /api/mail/queue/:queueId/release                  ADMIN    full
GET    /api/mail/logs                                    ADMIN    read
GET    /api/mail/dmarc/:domainId                         session  read
POST   /api/mail/delivery-tests                          session  full
GET    /api/mail/delivery-tests/:id                      session  read
GET    /api/mail/status                                  session  read
GET    /api/mail/webmail/activity                        session  read
POST   /api/mail/sync                                    session  full
GET    /api/mail/domains                                 session  read
POST   /api/mail/auth/:domainId/regenerate               session  full
POST   /api/mail/auth/:domainId/check                    session  full
GET    /api/mail/spam/:domainId                          session  read
PATCH  /api/mail/spam/:domainId                          session  full
GET    /api/mail/auth/:domainId/mta-sts                  session  read
PATCH  /api/mail/auth/:domainId/mta-sts                  session  full
GET    /.well-known/mta-sts.txt                          none     –
GET    /api/mail/dkim/:domainId                          session  read
POST   /api/mail/dkim/:domainId/rotate                   session  full
POST   /api/mail/dkim/:domainId/keys/:keyId/retire       session  full
GET    /adminer/                                         session  –
POST   /adminer/                                         session  –
GET    /metrics                                          ADMIN    read
GET    /api/firewall                                     ADMIN,canManageFirewall read
PUT    /api/firewall                                     ADMIN,canManageFirewall full
POST   /api/firewall/confirm                             ADMIN,canManageFirewall full
POST   /api/firewall/revert                              ADMIN,canManageFirewall full
POST   /api/firewall/reconnect                           ADMIN,canManageFirewall full
GET    /api/firewall/export                              ADMIN,canManageFirewall read
POST   /api/firewall/import                              ADMIN,canManageFirewall full
GET    /api/firewall/bans                                ADMIN,canManageFirewall read
POST   /api/firewall/bans                                ADMIN,canManageFirewall full
DELETE /api/firewall/bans/:id                            ADMIN,canManageFirewall full
GET    /api/firewall/allow-list                          ADMIN,canManageFirewall read
POST   /api/firewall/allow-list                          ADMIN,canManageFirewall full
DELETE /api/firewall/allow-list/:id                      ADMIN,canManageFirewall full
POST   /api/auth/logout                                  session  –
`
const expectations = table
  .trim()
  .split('\n')
  .map((line) => line.split(/ +/) as [method: string, url: string, who: string, scope: string])

const scopes = ['read', 'deploy', 'full'] as const
interface Caller {
  name: string
  holds: string[]
  client: Client
  tokens: Record<(typeof scopes)[number], string>
}

let panel: TestPanel
let routes: RoutePolicy[]
const callers: Caller[] = []
beforeAll(async () => {
  panel = await createTestPanel()
  const admin = await panel.signUp('admin')
  const held = [['ADMIN'], ['RESELLER'], ['USER'], ...permissions.map((permission) => ['USER', permission])]
  for (const holds of held) {
    const client = await panel.createUser(admin, { role: holds[0] })
    const own = permissions.filter((permission) => holds.includes(permission))
    await panel.deps.db.update(users).set({ permissions: own }).where(eq(users.id, client.user.id))
    const tokenOf = async (scope: string) =>
      (await client.request('POST', '/api/auth/tokens', { name: scope, scope, password })).json<{ token: string }>()
        .token
    const tokens = { read: await tokenOf('read'), deploy: await tokenOf('deploy'), full: await tokenOf('full') }
    callers.push({ name: holds.join('+'), holds, client, tokens })
  }
  // HEAD is registered along with GET.
  routes = panel.app.routePolicies.filter((route) => route.method !== 'HEAD' && !isReference(route))
})
afterAll(() => panel.close())

const isReference = (route: RoutePolicy) => route.url.startsWith('/api/docs')
const addressOf = (url: string) => url.replace(':action', 'start').replaceAll(/:\w+/g, 'nothing-of-this-name')
const ask = (method: string, url: string, headers: Record<string, string>) =>
  panel.app.inject({ method: method as 'GET', url: addressOf(url), headers })
const isLetIn = (who: string, holds: readonly string[]) =>
  who === 'none' || who === 'session' || who.split(',').some((name) => holds.includes(name))

test('every route has one line, and every line one route', () => {
  const keys = (rows: readonly { method: string; url: string }[]) =>
    rows.map(({ method, url }) => `${method} ${url}`).sort()
  expect(keys(routes)).toEqual(keys(expectations.map(([method, url]) => ({ method, url }))))
})

test('HEAD is authorized like GET', () => {
  for (const head of panel.app.routePolicies.filter((route) => route.method === 'HEAD' && !isReference(route)))
    expect(panel.app.routePolicies).toContainEqual({ ...head, method: 'GET' })
})

const webhookSecurity = {
  '/api/webhooks/gitprovider': [{ pushSignature: [] }, { pushToken: [] }],
  '/api/webhooks/deploy': [{ deployHookSecret: [] }]
}

test('the document states the access of each operation', async () => {
  const document = (await panel.app.inject({ url: '/api/openapi.json' })).json()
  for (const [method, url, who, scope] of expectations) {
    const operation = document.paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    if (!operation) continue // Hidden from the document: the document itself, metrics and the second form of the push receiver.
    const open = Object.entries(webhookSecurity).find(([start]) => url.startsWith(start))?.[1] ?? []
    const expected = who === 'none' ? open : [{ session: [] }, ...(scope === '–' ? [] : [{ token: [scope] }])]
    expect([url, operation.security]).toEqual([url, expected])
  }
})

describe('access', () => {
  test.each(expectations)('%s %s: %s', async (method, url, who) => {
    const stranger = await ask(method, url, {})
    if (who !== 'none') expect([stranger.statusCode, stranger.json().code]).toEqual([401, 'UNAUTHENTICATED'])
    else expect(['UNAUTHENTICATED', 'FORBIDDEN_ROLE']).not.toContain(codeOf(stranger))
    for (const { name, holds, client } of callers) {
      const code = codeOf(await ask(method, url, { cookie: client.cookie }))
      expect([name, code === 'FORBIDDEN_ROLE' || code === 'UNAUTHENTICATED']).toEqual([name, !isLetIn(who, holds)])
    }
  })

  // The scope is checked before the account, so one caller shows what a token lacks and what it has in excess.
  test.each(expectations.filter(([, , who]) => who !== 'none'))('%s %s by token', async (method, url, who, scope) => {
    for (const { name, holds, tokens } of callers)
      for (const held of scopes) {
        if (held !== scope && !holds.includes('ADMIN')) continue
        const answer = await ask(method, url, { authorization: `Bearer ${tokens[held]}` })
        const suffices = scope !== '–' && scopes.indexOf(held) >= scopes.indexOf(scope as typeof held)
        const label = `${name} with ${held}`
        if (!suffices) expect([label, answer.statusCode, codeOf(answer)]).toEqual([label, 403, 'FORBIDDEN'])
        else expect([label, codeOf(answer) === 'FORBIDDEN_ROLE']).toEqual([label, !isLetIn(who, holds)])
      }
  })
})

function codeOf(answer: { body: string; headers: Record<string, unknown> }): string | undefined {
  if (!String(answer.headers['content-type']).startsWith('application/json')) return undefined
  return (JSON.parse(answer.body) as { code?: string }).code
}
