/**
 * The play that the model server gives and the checks know: in round r the model asks for `parallel` echo calls with ids
 * and messages of their own; after the last round it answers with the closing text.
 */
const messageLength = 200;
const filler = 'abcdefghijklmnopqrstuvwxyz';

export const callId = (conversation, round, index) => `call_${conversation}_${round}_${index}`;

/** The round and index that an id names. */
export function placeOfCall(id) {
  const [index, round] = String(id).split('_').reverse();
  return { round: Number(round), index: Number(index) };
}

/** Arguments of a call; the tool answers them with "Echo: " in front. */
export const echoMessage = (round, index) => `m${round}.${index}-`.padEnd(messageLength, filler);

export const closingText = (rounds) => `done:${rounds}`;
