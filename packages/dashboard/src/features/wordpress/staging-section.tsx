import { Button, Checkbox, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { ConfirmName } from '../../ui/confirm-name.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { careMessages } from './care.messages.ts'
import { createStaging, type Staging, stagingKey, stagingQuery, startCopy, tasksKey } from './care.queries.ts'
import classes from './wordpress.module.css'

/** Staging copies of a site, or, of a staging copy, its original. */
export function StagingSection({ projectId, name, isBusy }: { projectId: string; name: string; isBusy: boolean }) {
  const t = useMessages(careMessages)
  const { data: staging } = useQuery(stagingQuery(projectId))
  if (!staging) return null
  return (
    <Section title={t('staging')} hint={t('staging.hint')}>
      {staging.stagingOf ? (
        <Original
          projectId={projectId}
          name={name}
          original={staging.stagingOf}
          access={staging.access}
          isBusy={isBusy}
        />
      ) : (
        <Copies projectId={projectId} copies={staging.copies} isBusy={isBusy} />
      )}
    </Section>
  )
}

function Copies({ projectId, copies, isBusy }: { projectId: string; copies: Staging['copies']; isBusy: boolean }) {
  const t = useMessages(careMessages)
  const create = useAction({ run: () => createStaging(projectId), invalidates: [stagingKey(projectId)] })
  return (
    <Stack>
      {copies.map(({ id, name }) => (
        <Link key={id} to="/projects/$projectId/wordpress" params={{ projectId: id }}>
          {name}
        </Link>
      ))}
      {copies.length === 0 && (
        <div>
          <Button variant="default" disabled={isBusy} loading={create.isPending} onClick={() => create.start()}>
            {t('staging.create')}
          </Button>
        </div>
      )}
    </Stack>
  )
}

interface OriginalProps {
  projectId: string
  name: string
  original: NonNullable<Staging['stagingOf']>
  access: Staging['access']
  isBusy: boolean
}

function Original({ projectId, name, original, access, isBusy }: OriginalProps) {
  const t = useMessages(careMessages)
  const [files, setFiles] = useState(true)
  const [database, setDatabase] = useState(true)
  const [confirming, setConfirming] = useState<'push' | 'pull'>()
  const target = { push: original.id, pull: projectId }
  const source = { push: projectId, pull: original.id }
  const copy = useAction({
    run: (way: 'push' | 'pull') => startCopy(target[way], { fromProjectId: source[way], files, database }),
    invalidates: [tasksKey(projectId), tasksKey(original.id)],
    onDone: () => setConfirming(undefined),
    done: () => t('staging.started')
  })
  const isDisabled = isBusy || copy.isPending || !(files || database)
  return (
    <Stack>
      <div>
        {t('staging.of')}{' '}
        <Link className="in-text" to="/projects/$projectId/wordpress" params={{ projectId: original.id }}>
          {original.name}
        </Link>
      </div>
      {access && (
        <>
          <CopyField label={t('staging.user')} value={access.username} />
          <CopyField label={t('staging.password')} value={access.password} />
        </>
      )}
      <Checkbox
        label={t('staging.files')}
        checked={files}
        onChange={(event) => setFiles(event.currentTarget.checked)}
      />
      <Checkbox
        label={t('staging.database')}
        checked={database}
        onChange={(event) => setDatabase(event.currentTarget.checked)}
      />
      <div className={classes.row}>
        <Button disabled={isDisabled} onClick={() => setConfirming('push')}>
          {t('staging.push', { name: original.name })}
        </Button>
        <Button variant="default" disabled={isDisabled} onClick={() => setConfirming('pull')}>
          {t('staging.pull', { name: original.name })}
        </Button>
      </div>
      {confirming && (
        <ConfirmName
          title={t(`staging.${confirming}`, { name: original.name })}
          name={confirming === 'push' ? original.name : name}
          action={t('staging.replace')}
          isPending={copy.isPending}
          onConfirm={() => copy.start(confirming)}
          onClose={() => setConfirming(undefined)}
        >
          {t(`staging.${confirming}.hint`, { name: original.name })}
        </ConfirmName>
      )}
    </Stack>
  )
}
