"""Teaching the critic: the few pages whose answers teach most, and what the crawl has learnt by itself."""
