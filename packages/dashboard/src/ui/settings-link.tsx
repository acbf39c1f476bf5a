import type { Sentence } from '@panel/contract/sentences'
import type { SettingGroup } from '@panel/contract/settings'
import { Link } from '@tanstack/react-router'
import { createContext, use } from 'react'
import { ApiError } from '../api/client.ts'
import { useMessages } from '../i18n/i18n.tsx'
import { uiMessages } from './ui.messages.ts'

/** The settings page that a message names, by table and code. */
const pages: Readonly<Record<string, SettingGroup>> = {
  'remedy.RUN_UP_OR_CHECK_SERVER': 'files',
  'remedy.RUN_UP_OR_CHECK_SFTP': 'files',
  'remedy.START_ENGINE': 'containers',
  'remedy.CHECK_SESSION_STORE': 'server',
  'remedy.CHECK_PROJECTS_DIR': 'files',
  'remedy.TURN_ON_MAIL': 'mail',
  'remedy.TURN_ON_SPAM_FILTER': 'mail',
  'remedy.TURN_ON_WEBMAIL': 'mail',
  'remedy.SET_MAILER': 'mail',
  'explain.SET_PUBLIC_IP': 'names',
  'reason.TIMED_OUT': 'builds',
  'reason.GIT_HOST_KEY': 'builds',
  'problem.OPEN_PORT': 'certificates',
  'listing.REFUSED': 'dns'
}

/** Whether the user can open the settings of the server. The shell provides it. */
export const SettingsAccess = createContext(false)

interface SettingsLinkProps {
  /** Names of the tables of the codes. */
  words: readonly string[]
  sentences: readonly Sentence[]
}

/** Links to the settings page that the message names; nothing for users who cannot open it. */
export function SettingsLink({ words, sentences }: SettingsLinkProps) {
  const t = useMessages(uiMessages)
  const canOpen = use(SettingsAccess)
  const group = sentences.flatMap(({ code }) => words.flatMap((word) => pages[`${word}.${code}`] ?? []))[0]
  if (!canOpen || group === undefined) return null
  return (
    <>
      {' '}
      <Link to="/server/settings/$group" params={{ group }} className="in-text">
        {t('openSettings')}
      </Link>
    </>
  )
}

/** An error’s message, with a link to the settings page that fixes an outage. */
export function ErrorText({ error }: { error: Error }) {
  const sentences = error instanceof ApiError ? (error.outage?.sentences ?? []) : []
  return (
    <>
      {error.message}
      <SettingsLink words={['remedy']} sentences={sentences} />
    </>
  )
}
