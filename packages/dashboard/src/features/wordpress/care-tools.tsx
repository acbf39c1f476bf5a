import { Button, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { listCoreChanges, readDebugLog, resetPassword, startReplacement, type Task, tasksKey } from './care.queries.ts'
import { careMessages } from './care.messages.ts'
import classes from './wordpress.module.css'

interface ToolsProps {
  projectId: string
  administrators: readonly string[]
  task: Task | undefined
}

export function CareTools({ projectId, administrators, task }: ToolsProps) {
  return (
    <>
      <Replacement projectId={projectId} task={task} />
      <Password projectId={projectId} administrators={administrators} />
      <Diagnosis projectId={projectId} />
    </>
  )
}

/** Text can be replaced once it was counted. */
function Replacement({ projectId, task }: Pick<ToolsProps, 'projectId' | 'task'>) {
  const t = useMessages(careMessages)
  const [search, setSearch] = useState('')
  const [replace, setReplace] = useState('')
  const start = useAction({
    run: (dryRun: boolean) => startReplacement(projectId, { search, replace, dryRun }),
    invalidates: [tasksKey(projectId)]
  })
  const isBusy = task?.status === 'RUNNING' || start.isPending
  const counted = task?.status === 'SUCCEEDED' ? task.replacement : null
  const isCounted = counted?.dryRun === true && counted.search === search && counted.replace === replace
  return (
    <Section title={t('replace')} hint={t('replace.hint')}>
      <Stack>
        <TextInput
          label={t('search')}
          value={search}
          maxLength={2000}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <TextInput
          label={t('replacement')}
          value={replace}
          maxLength={2000}
          onChange={(event) => setReplace(event.currentTarget.value)}
        />
        <div className={classes.row}>
          <Button variant="default" disabled={isBusy || search === ''} onClick={() => start.start(true)}>
            {t('count')}
          </Button>
          <Button disabled={isBusy || !isCounted} onClick={() => start.start(false)}>
            {t('replace.start')}
          </Button>
        </div>
      </Stack>
    </Section>
  )
}

function Password({ projectId, administrators }: Pick<ToolsProps, 'projectId' | 'administrators'>) {
  const t = useMessages(careMessages)
  const [login, setLogin] = useState<string | null>(null)
  const [password, setPassword] = useState<string>()
  const reset = useAction({
    run: (user: string) => resetPassword(projectId, user),
    invalidates: [],
    onDone: (made) => setPassword(made.password)
  })
  return (
    <Section title={t('password')} hint={t('password.hint')}>
      <Stack>
        <Select
          label={t('user')}
          data={[...administrators]}
          value={login}
          onChange={(value) => {
            setLogin(value)
            setPassword(undefined)
          }}
        />
        <div>
          <Button
            variant="default"
            disabled={login === null}
            loading={reset.isPending}
            onClick={() => login !== null && reset.start(login)}
          >
            {t('password.start')}
          </Button>
        </div>
        {password !== undefined && <CopyField label={t('password.new')} value={password} />}
      </Stack>
    </Section>
  )
}

function Diagnosis({ projectId }: Pick<ToolsProps, 'projectId'>) {
  const t = useMessages(careMessages)
  const [changes, setChanges] = useState<Awaited<ReturnType<typeof listCoreChanges>>>()
  const [log, setLog] = useState<string>()
  const verify = useAction({ run: () => listCoreChanges(projectId), invalidates: [], onDone: setChanges })
  const read = useAction({ run: () => readDebugLog(projectId), invalidates: [], onDone: ({ text }) => setLog(text) })
  return (
    <Section title={t('diagnosis')} hint={t('diagnosis.hint')}>
      <Stack>
        <div className={classes.row}>
          <Button variant="default" loading={verify.isPending} onClick={() => verify.start()}>
            {t('verify')}
          </Button>
          <Button variant="default" loading={read.isPending} onClick={() => read.start()}>
            {t('log')}
          </Button>
        </div>
        {changes?.total === 0 && <Notice tone="ok">{t('verify.none', { version: changes.version })}</Notice>}
        {changes !== undefined && changes.total > 0 && (
          <>
            <Notice tone="warn">{t('verify.some', { count: changes.total, version: changes.version })}</Notice>
            <ul className={classes.notes} aria-label={t('verify')}>
              {(['changed', 'missing', 'extra'] as const).flatMap((kind) =>
                changes[kind].map((path) => (
                  <li key={path}>
                    {t(`verify.${kind}`)}: <Foreign>{path}</Foreign>
                  </li>
                ))
              )}
            </ul>
          </>
        )}
        {log !== undefined && (log === '' ? <Notice tone="info">{t('log.empty')}</Notice> : <DebugLog text={log} />)}
      </Stack>
    </Section>
  )
}

function DebugLog({ text }: { text: string }) {
  const t = useMessages(careMessages)
  return (
    <pre className={classes.log} role="log" aria-label={t('log.title')} tabIndex={0} dir="ltr">
      {text}
    </pre>
  )
}
