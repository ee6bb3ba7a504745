import { engine } from "../shared/engine.ts";
import { mount } from "../shared/mount.tsx";
import { useLoaded } from "../shared/state/use-loaded.ts";
import { CorpusSize, EmptyCorpusNotice } from "./corpus-size.tsx";
import { RecentChecks } from "./recent-checks.tsx";
import { SubmitForm } from "./submit-form.tsx";
import "./submit.css";

function SubmitPage() {
  const { value: stats } = useLoaded("stats", (signal) => engine.getCheckStats({ signal }));
  return (
    <>
      <h1>Check a text</h1>
      <p class="lead">
        See what a text shares with the documents of this instance: each passage, where it stands, and where
        it comes from.
      </p>
      {stats?.total_sources === 0 && <EmptyCorpusNotice />}
      <SubmitForm />
      <div class="below">
        <RecentChecks />
        <CorpusSize stats={stats} />
      </div>
    </>
  );
}

mount(<SubmitPage />);
