import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Section } from './section.tsx'
import { type Action, useAction } from './use-action.ts'

const ConfirmName = lazy(() => import('./confirm-name.tsx').then((module) => ({ default: module.ConfirmName })))

interface DangerSectionProps extends Action<void, unknown> {
  title: string
  hint: string
  action: string
  name: string
}

/** Section for an action that cannot be undone. The user must type the name first. */
export function DangerSection({ title, hint, action, name, onDone, ...mutation }: DangerSectionProps) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const { isPending, start } = useAction<void>({
    ...mutation,
    onDone: (result, input) => {
      close()
      onDone?.(result, input)
    }
  })
  return (
    <Section
      isDanger
      title={title}
      hint={hint}
      actions={
        <Button color="red" variant="light" onClick={() => setAsking(true)}>
          {action}
        </Button>
      }
    >
      {isAsking && (
        <Suspense fallback={null}>
          <ConfirmName {...{ title, name, action, isPending }} onConfirm={() => start()} onClose={close}>
            {hint}
          </ConfirmName>
        </Suspense>
      )}
    </Section>
  )
}
