import type { CommitState, StatusProvider } from '@panel/contract/commit-status'

export interface StatusReport {
  /** Base of the API, without a slash at the end. */
  apiUrl: string
  token: string
  /** `owner/name`; on GitLab also below groups. */
  repository: string
  commitHash: string
  state: CommitState
  targetUrl: string
}

interface Request {
  url: string
  headers: Record<string, string>
  body: string
}

interface Provider {
  /** Base of the API of a Git host. */
  apiOf(host: string): string
  states: Readonly<Record<CommitState, string>>
  request(report: StatusReport, state: string): Request
  /** Answers other than 2xx that mean that the commit has the status. */
  isDone?(status: number, text: string): boolean
}

const context = 'panel/deployment'
const descriptions: Readonly<Record<CommitState, string>> = {
  PENDING: 'Deploying',
  SUCCESS: 'Deployed',
  FAILURE: 'Deployment failed',
  CANCELLED: 'Deployment cancelled'
}

const pathOf = (repository: string): string => repository.split('/').map(encodeURIComponent).join('/')
const json = { 'content-type': 'application/json' }
const bodyOf = ({ state, targetUrl }: StatusReport, name: string) =>
  JSON.stringify({ state: name, target_url: targetUrl, description: descriptions[state], context })

/** As the documentation of each API says: GitHub 2022-11-28, GitLab v4, Gitea and Forgejo v1. */
export const statusProviders: Readonly<Record<StatusProvider, Provider>> = {
  GITHUB: {
    apiOf: (host) => (host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`),
    states: { PENDING: 'pending', SUCCESS: 'success', FAILURE: 'failure', CANCELLED: 'error' },
    request: (report, state) => ({
      url: `${report.apiUrl}/repos/${pathOf(report.repository)}/statuses/${report.commitHash}`,
      headers: {
        ...json,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        authorization: `Bearer ${report.token}`
      },
      body: bodyOf(report, state)
    })
  },
  GITLAB: {
    apiOf: (host) => `https://${host}/api/v4`,
    states: { PENDING: 'running', SUCCESS: 'success', FAILURE: 'failed', CANCELLED: 'canceled' },
    request: (report, state) => ({
      url: `${report.apiUrl}/projects/${encodeURIComponent(report.repository)}/statuses/${report.commitHash}`,
      headers: { ...json, 'private-token': report.token },
      body: bodyOf(report, state)
    }),
    // The commit has this status already, for example from an attempt whose answer was lost.
    isDone: (status, text) => status === 400 && text.includes('Cannot transition status')
  },
  GITEA: {
    apiOf: (host) => `https://${host}/api/v1`,
    states: { PENDING: 'pending', SUCCESS: 'success', FAILURE: 'failure', CANCELLED: 'error' },
    request: (report, state) => ({
      url: `${report.apiUrl}/repos/${pathOf(report.repository)}/statuses/${report.commitHash}`,
      headers: { ...json, authorization: `token ${report.token}` },
      body: bodyOf(report, state)
    })
  }
}

export const statusRequest = (provider: StatusProvider, report: StatusReport): Request =>
  statusProviders[provider].request(report, statusProviders[provider].states[report.state])
