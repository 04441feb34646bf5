package io.lakexpress.standalone;

import java.net.URI;
import java.time.Duration;
import org.apache.kafka.connect.cli.ConnectDistributed;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.runtime.Connect;
import org.apache.kafka.connect.runtime.distributed.DistributedHerder;

/**
 * A distributed Connect worker that loads its plugins from a directory, isolated, as on a cluster.
 *
 * <p>It must be closed before its broker: a worker without a broker cannot leave its group, and its
 * successor then waits for the session to expire.
 */
public final class EmbeddedWorker implements AutoCloseable {
  private final Connect<DistributedHerder> connect;
  private final URI restUrl;

  private EmbeddedWorker(Connect<DistributedHerder> connect, URI restUrl) {
    this.connect = connect;
    this.restUrl = restUrl;
  }

  /** Starts a worker; {@link #awaitReady} tells when it can be used. */
  public static EmbeddedWorker start(WorkerSettings settings) {
    ListenPorts.requireFree(settings.restPort(), "--rest-port");
    try {
      Connect<DistributedHerder> connect =
          new ConnectDistributed().startConnect(settings.properties());
      return new EmbeddedWorker(connect, URI.create("http://localhost:" + settings.restPort()));
    } catch (ConnectException e) {
      throw new StackException("Cannot start the Connect worker: " + e.getMessage(), e);
    }
  }

  /** Where the worker's REST interface is. */
  public URI restUrl() {
    return restUrl;
  }

  /** A client of the worker's REST interface. */
  public ConnectRest rest() {
    return new ConnectRest(restUrl);
  }

  /** Waits until the worker has joined its group and answers; throws when that takes too long. */
  public void awaitReady(Duration patience) {
    ConnectRest rest = rest();
    long deadline = System.nanoTime() + patience.toNanos();
    while (!rest.isReady()) {
      if (connect.herderTask() != null && connect.herderTask().isDone()) {
        throw new StackException("Cannot start the Connect worker: it gave up; the log says why");
      }
      if (System.nanoTime() - deadline > 0) {
        throw new StackException(
            "Cannot start the Connect worker: not ready after " + patience.toSeconds() + " s");
      }
      Pause.brief();
    }
  }

  /** Stops connectors and REST, leaves the group, and waits for it. */
  @Override
  public void close() {
    connect.stop();
    connect.awaitStop();
  }
}
