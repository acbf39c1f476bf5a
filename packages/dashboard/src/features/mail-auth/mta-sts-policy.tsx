import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { useAction } from '../../ui/use-action.ts'
import classes from './mail-auth.module.css'
import { mailAuthMessages } from './mail-auth.messages.ts'
import { certificateProblemMessages } from '../../ui/shared-texts/certificate-problem.messages.ts'
import { mailAuthKey, mtaStsQuery } from './mail-auth.queries.ts'

const modes = ['testing', 'enforce', 'none'] as const
type Mode = (typeof modes)[number]

export function MtaStsPolicy({ domainId }: { domainId: string }) {
  const t = useMessages(mailAuthMessages)
  const { data: policy, error, refetch } = useQuery(mtaStsQuery(domainId))
  return (
    <Section title={t('sts')} hint={t('sts.hint')}>
      {error && !policy && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !policy && <RowsSkeleton rows={2} />}
      {policy && <Policy key={policy.mode} policy={policy} />}
    </Section>
  )
}

function Policy({ policy }: { policy: Schema<'MtaSts'> }) {
  const t = useMessages(mailAuthMessages)
  const [mode, setMode] = useState<Mode>(policy.mode)
  const { domainId, problem, sentences, isServed } = policy
  const change = useAction({
    run: () => data(api.PATCH('/api/mail/auth/{domainId}/mta-sts', { params: { path: { domainId } }, body: { mode } })),
    invalidates: [mailAuthKey(domainId)],
    done: () => t('sts.saved')
  })
  return (
    <div className={classes.gap}>
      {isServed ? (
        <Notice tone="ok">{t('sts.served')}</Notice>
      ) : (
        <Notice tone="warn">
          {problem === null ? (
            t('sts.notServed')
          ) : (
            <SentenceText by={{ problem: certificateProblemMessages }} sentences={sentences}>
              {problem}
            </SentenceText>
          )}
        </Notice>
      )}
      <div className={classes.row}>
        <NativeSelect
          label={t('sts.mode')}
          value={mode}
          data={modes.map((value) => ({ value, label: t(`sts.${value}`) }))}
          onChange={({ target }) => setMode(modes.find((each) => each === target.value) ?? mode)}
        />
        <Button
          variant="default"
          disabled={mode === policy.mode}
          loading={change.isPending}
          onClick={() => change.start()}
        >
          {t('sts.save')}
        </Button>
      </div>
      <div className={classes.copies}>
        <CopyField label={t('record.name')} value={policy.recordName} />
        <CopyField label={t('record.value')} value={policy.recordValue} />
      </div>
    </div>
  )
}
