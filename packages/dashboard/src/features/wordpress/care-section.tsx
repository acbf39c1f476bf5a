import { Button, Select, Stack, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { Facts } from '../../ui/facts.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import cells from '../../ui/table-cells.module.css'
import { useAction } from '../../ui/use-action.ts'
import {
  changeSettings,
  type Component,
  siteStateQuery,
  type SiteState,
  startUpdates,
  stateKey,
  type Task,
  tasksKey,
  tasksQuery
} from './care.queries.ts'
import { careMessages } from './care.messages.ts'
import { CareTools } from './care-tools.tsx'
import { SignInButton } from './sign-in-button.tsx'
import { StagingSection } from './staging-section.tsx'
import { TaskNotice } from './task-notice.tsx'
import { UndoChange } from './undo-change.tsx'
import classes from './wordpress.module.css'

export function CareSection({ projectId, name }: { projectId: string; name: string }) {
  const t = useMessages(careMessages)
  const { data: state, error, refetch } = useQuery(siteStateQuery(projectId))
  const { task, undoable } = useTasks(projectId)
  return (
    <>
      <Section title={t('care')} hint={t('care.hint')}>
        {error && state === undefined ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : state === undefined ? (
          <RowsSkeleton rows={3} />
        ) : (
          <Stack>
            {task && <TaskNotice task={task} />}
            {undoable && <UndoChange task={undoable} name={name} isBusy={task?.status === 'RUNNING'} />}
            <Site projectId={projectId} state={state} isBusy={task?.status === 'RUNNING'} />
          </Stack>
        )}
      </Section>
      <StagingSection projectId={projectId} name={name} isBusy={task?.status === 'RUNNING'} />
      {state && <Settings projectId={projectId} state={state} />}
      {state?.site && <CareTools projectId={projectId} administrators={state.site.administrators} task={task} />}
    </>
  )
}

/** The latest task and the one that can be undone. Reads the state of the site again when a task ends. */
function useTasks(projectId: string): { task?: Task; undoable?: Task } {
  const client = useQueryClient()
  const tasks = useQuery(tasksQuery(projectId)).data?.tasks
  const task = tasks?.[0]
  const isEnded = task !== undefined && task.status !== 'RUNNING'
  const id = task?.id
  useEffect(() => {
    if (isEnded && id !== undefined) void client.invalidateQueries({ queryKey: stateKey(projectId) })
  }, [client, projectId, id, isEnded])
  return { task, undoable: tasks?.find(({ undoUntil }) => undoUntil !== null) }
}

function Site({ projectId, state, isBusy }: { projectId: string; state: SiteState; isBusy: boolean }) {
  const t = useMessages(careMessages)
  const { dateTime } = useI18n()
  const { site, unavailable, error, cron } = state
  const all = useAction({ run: () => startUpdates(projectId), invalidates: [tasksKey(projectId)] })
  if (!site)
    return (
      <Notice tone={unavailable === 'BROKEN' ? 'bad' : 'info'}>
        {t(`unavailable.${unavailable ?? 'BROKEN'}`)} {error !== null && <Foreign>{error}</Foreign>}
      </Notice>
    )
  const outdated = site.components.filter(({ newVersion }) => newVersion !== null)
  return (
    <>
      {cron.lateSince !== null && <Notice tone="warn">{t('late', { at: dateTime(cron.lateSince) })}</Notice>}
      <Facts
        rows={[
          { name: 'WordPress', value: <Foreign>{site.coreVersion}</Foreign> },
          { name: 'PHP', value: <Foreign>{site.phpVersion}</Foreign> },
          { name: t('event'), value: cron.nextEventAt === null ? t('event.none') : dateTime(cron.nextEventAt) }
        ]}
      />
      <div>
        <SignInButton projectId={projectId} isDisabled={!site.canSignIn} />
      </div>
      {!site.canSignIn && <Notice tone="info">{t('signIn.old')}</Notice>}
      {outdated.length === 0 ? (
        <Notice tone="ok">{t('current', { count: site.components.length - 1 })}</Notice>
      ) : (
        <>
          <Updates projectId={projectId} components={outdated} isBusy={isBusy} />
          <div>
            <Button disabled={isBusy} loading={all.isPending} onClick={() => all.start()}>
              {t('update.all')}
            </Button>
          </div>
        </>
      )}
    </>
  )
}

interface UpdatesProps {
  projectId: string
  components: readonly Component[]
  isBusy: boolean
}

function Updates({ projectId, components, isBusy }: UpdatesProps) {
  const t = useMessages(careMessages)
  const update = useAction({
    run: (component: Component) => startUpdates(projectId, [component]),
    invalidates: [tasksKey(projectId)]
  })
  return (
    <table className={`${card.table} ${card.cards} ${classes.versions}`}>
      <thead>
        <tr>
          <th scope="col">{t('component')}</th>
          <th scope="col">{t('version')}</th>
          <th scope="col">{t('new')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {components.map((component) => (
          <tr key={`${component.kind} ${component.id}`}>
            <td className={cells.name}>
              <Foreign>{component.name}</Foreign> <span className={card.sub}>{t(`kind.${component.kind}`)}</span>
            </td>
            <td data-label={t('version')}>
              <Foreign>{component.version}</Foreign>
            </td>
            <td data-label={t('new')}>
              <Foreign>{component.newVersion ?? ''}</Foreign>
            </td>
            <td className={classes.act}>
              <Button
                variant="default"
                size="xs"
                disabled={isBusy || update.isPending}
                aria-label={t('update.one', { name: component.name })}
                onClick={() => update.start(component)}
              >
                {t('update')}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Settings({ projectId, state }: { projectId: string; state: SiteState }) {
  const t = useMessages(careMessages)
  const { dateTime } = useI18n()
  const change = useAction({
    run: (settings: Parameters<typeof changeSettings>[1]) => changeSettings(projectId, settings),
    invalidates: [stateKey(projectId)]
  })
  const { updatePolicy, nextUpdateAt, maintenance, debugLog } = state
  const policies = (['OFF', 'SECURITY', 'ALL'] as const).map((value) => ({ value, label: t(`policy.${value}`) }))
  return (
    <Section title={t('settings')}>
      <Stack>
        <Select
          label={t('policy')}
          description={nextUpdateAt === null ? t('policy.hint') : t('policy.next', { at: dateTime(nextUpdateAt) })}
          data={policies}
          value={updatePolicy}
          allowDeselect={false}
          disabled={change.isPending}
          onChange={(value) => value !== null && change.start({ updatePolicy: value })}
        />
        <Switch
          label={t('maintenance')}
          description={t('maintenance.hint')}
          checked={maintenance}
          disabled={change.isPending}
          onChange={(event) => change.start({ maintenance: event.currentTarget.checked })}
        />
        <Switch
          label={t('debug')}
          description={t('debug.hint')}
          checked={debugLog}
          disabled={change.isPending}
          onChange={(event) => change.start({ debugLog: event.currentTarget.checked })}
        />
      </Stack>
    </Section>
  )
}
