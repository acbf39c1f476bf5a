import { Button, Modal, type ModalProps, Stack } from '@mantine/core'
import type { FormEventHandler, ReactNode } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Notice } from '../notice.tsx'
import { uiMessages } from '../ui.messages.ts'

interface FormDialogProps extends Pick<ModalProps, 'size' | 'title'> {
  /** From `useContractForm`. */
  of: {
    form: { isDirty(): boolean }
    submit: FormEventHandler<HTMLFormElement>
    isPending: boolean
    failure: string | undefined
  }
  /** Text of the button. Default: the children contain the buttons. */
  submitText?: string
  submitColor?: string
  /** From `useFollowing`: other initial values make new fields. */
  formKey?: string
  onClose(): void
  children: ReactNode
}

/** A form in a dialog. A click beside it does not discard what was entered. */
export function FormDialog({ of, submitText, submitColor, formKey, onClose, children, ...modal }: FormDialogProps) {
  const { form, submit, isPending, failure } = of
  const ui = useMessages(uiMessages)
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={!form.isDirty()}
      closeButtonProps={{ 'aria-label': ui('close') }}
      {...modal}
    >
      <form key={formKey} onSubmit={submit} noValidate>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          {children}
          {submitText !== undefined && (
            <Button type="submit" color={submitColor} loading={isPending}>
              {submitText}
            </Button>
          )}
        </Stack>
      </form>
    </Modal>
  )
}
