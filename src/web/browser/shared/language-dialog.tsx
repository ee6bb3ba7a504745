import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import { Button } from "./elements.tsx";
import { LanguageField } from "./language-field.tsx";
import { ErrorNotice } from "./notice.tsx";

type LanguageDialogProps = {
  readonly title: string;
  /** What follows from the choice. */
  readonly explanation: string;
  /** The label of the button. */
  readonly action: string;
  /** The present language. */
  readonly language: string;
  readonly onChosen: (language: string) => Promise<void>;
  readonly onClose: () => void;
};

/** Asks for the language of a text; an error keeps it open. */
export function LanguageDialog(props: LanguageDialogProps) {
  const { title, explanation, action, language, onChosen, onClose } = props;
  const [chosen, setChosen] = useState(language);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const confirm = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await onChosen(chosen);
    } catch (failure) {
      setError(failure);
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{explanation}</p>
      <LanguageField label="Language" isDetectable={false} value={chosen} onChange={setChosen} />
      {error !== undefined && <ErrorNotice error={error} />}
      <div class="buttons">
        <Button onClick={onClose}>Cancel</Button>
        <Button class="primary" disabled={isBusy} onClick={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
