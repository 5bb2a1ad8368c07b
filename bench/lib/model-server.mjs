/**
 * The model of every contender: deterministic, in a process of its own, so that its cost is in nobody's figures. The
 * round is the number of requests that a conversation has made; each request must hold the results of the round before.
 * The times of the requests are the measurement: nobody times itself.
 */
import http from 'node:http';
import { callId, echoMessage, placeOfCall } from './script.mjs';
import { echoToolOf, wires } from './model-wires.mjs';

const conversations = new Map();
const now = () => performance.timeOrigin + performance.now();

function open({ id, rounds, parallel }) {
  conversations.set(id, {
    id,
    rounds,
    parallel,
    wire: null,
    tool: null,
    tools: 0,
    last: null,
    arrivals: [],
    serving_ms: 0,
    sent_bytes: 0,
    errors: [],
  });
}

/** Cheap at any length: the results of the round before stand near the end. */
function checkResults(conversation, body, round) {
  for (let index = 0; index < conversation.parallel; index += 1) {
    const id = callId(conversation.id, round, index);
    if (body.lastIndexOf(id) < 0) conversation.errors.push(`request ${round + 1} has no result of ${id}`);
    if (body.lastIndexOf(`Echo: m${round}.${index}-`) < 0) {
      conversation.errors.push(`request ${round + 1} lacks what the tool said to ${id}`);
    }
  }
}

function take(conversation, wireName, body) {
  const round = conversation.arrivals.push(now());
  conversation.sent_bytes += body.length;
  conversation.last = body;
  if (round === 1) {
    const request = JSON.parse(body);
    conversation.wire = wires[wireName];
    conversation.tool = echoToolOf(request);
    conversation.tools = request.tools?.length ?? 0;
    if (conversation.tool === null) conversation.errors.push('the first request offers no echo tool');
  } else if (round <= conversation.rounds + 1) {
    checkResults(conversation, body, round - 1);
  } else {
    conversation.errors.push(`request ${round} came after the closing answer`);
  }
  if (body.indexOf('"stream":true') < 0) conversation.errors.push(`request ${round} asks for no stream`);
  return round;
}

function answer(request, response) {
  const [, id, wireName] =
    /^\/([^/]+)\/(?:v1\/)?(chat\/completions|messages)(?:\?.*)?$/.exec(request.url) ?? [];
  const conversation = conversations.get(id);
  if (!conversation || request.method !== 'POST') {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"error":{"message":"There is no such path."}}');
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const began = now();
    const round = take(conversation, wireName, Buffer.concat(chunks));
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    });
    for (const piece of wires[wireName].stream(conversation, round)) response.write(piece);
    response.end();
    conversation.serving_ms += now() - began;
  });
}

/** What came of a conversation, with a whole reading of its last request. */
function close(id) {
  const { wire, last, ...kept } = conversations.get(id);
  conversations.delete(id);
  const results = wire && last ? wire.results(JSON.parse(last)) : [];
  const right = results.filter(({ id: call, content }) => {
    const { round, index } = placeOfCall(call);
    return content.includes(`Echo: ${echoMessage(round, index)}`);
  });
  return {
    requests: kept.arrivals.length,
    arrivals: kept.arrivals,
    sent_bytes: kept.sent_bytes,
    serving_ms: kept.serving_ms,
    tools: kept.tools,
    errors: kept.errors,
    results: right.length,
    distinct: new Set(right.map((result) => result.id)).size,
  };
}

const server = http.createServer(answer);
server.keepAliveTimeout = 600_000;
server.headersTimeout = 610_000;
server.requestTimeout = 0;
process.on('message', (message) => {
  if (message.type === 'open') open(message);
  process.send({ key: message.key, value: message.type === 'close' ? close(message.id) : null });
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send({ key: 'ready', value: server.address().port }));
