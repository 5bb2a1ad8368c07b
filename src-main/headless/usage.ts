export const usage = `Usage:
  openworker run --bundle DIR --model PROVIDER:NAME [options] "message"
      --bundle DIR         the coworker; you vouch for it
      --model P:NAME       anthropic, openai, google, openai-compatible, ollama, lmstudio or practice
      --base-url URL       address of the provider, where it is not its own
      --api-key-env NAME   environment variable that holds the key
      --servers FILE       servers.json with the MCP servers; that of the data folder unless given
      --guardrails FILE    guardrails.json, the checks of arguments and results; likewise
      --workspace DIR      the folder that the coworker may work in
      --approve ask|once|deny   ask on this terminal (default), allow each request once, deny each
      --data DIR           where sessions are kept
      --json               one JSON object a line: the events, then the result
  openworker bundle check DIR [--servers FILE] [--json]
  openworker sessions list [--data DIR] [--json]
  openworker sessions show ID [--data DIR] [--json]
  openworker sessions resume ID --bundle DIR [--approve ask|once|deny] [options of run] [--json]
      goes on with a session that waits for you, to the end of its turn
  openworker approvals list [--data DIR] [--json]
  openworker approvals show ID [--data DIR] [--json]
  openworker approvals answer ID --bundle DIR --allow once|session|coworker | --deny [options of run] [--json]
      --note TEXT          with --deny: words that reach the model
      --arguments JSON     with --allow: these run in place of those that were asked for; @FILE reads a file
      --shown DIGEST       what "approvals show" printed; anything else is refused
  openworker grants list [--data DIR] [--json]
  openworker grants revoke ID [--data DIR] [--json]
  openworker help | --version

An ID may be shortened as long as it stays the only one. "options of run" are --servers, --guardrails, --base-url,
--api-key-env and --data: the same ones that the session began with.
Exit codes: 0 done, or the turn completed; 1 it failed; 2 usage; 3 the turn was stopped.
`;
